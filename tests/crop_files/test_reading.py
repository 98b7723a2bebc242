"""Reading files of other programs: what is in them, and on which line."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from crop_parameter_files import CABO, INI, PCSE, YAML
from hypothesis import given, settings
from hypothesis import strategies as st

from phytotron.core.errors import DataFileError, PhytotronError, UnknownNameError
from phytotron.crop_files import Source, import_crop, read_source


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def read(folder: Path, name: str, text: str, variety: str | None = None) -> Source:
    return read_source(written(folder, name, text), variety)


def test_cabo_files_have_tables_over_lines_text_and_two_values_on_a_line(tmp_path: Path) -> None:
    source = read(tmp_path, "bean.cab", CABO)
    assert source.format == "CABO"
    assert source.values["CRPNAM"].value == "Bean 1; sown in spring!"
    assert source.values["DTSMTB"].value == [0.0, 0.0, 20.0, 20.0, 35.0, 20.0]
    assert (source.values["DTSMTB"].line, source.values["DTSMTB"].unit) == (7, "cel d")
    assert (source.values["SLATB"].unit, source.values["RDMCR"].unit) == ("ha kg-1", "cm")
    assert (source.values["NMINSO"].value, source.values["NMINVE"].value) == (0.03, 0.008)
    assert source.values["TSUM2"].value == 1100.0


def test_ini_sets_have_sections_comments_above_and_tables_over_lines(tmp_path: Path) -> None:
    source = read(tmp_path, "bean.ini", INI)
    assert source.format == "INI"
    assert source.values["RUETB"].value == [0.0, 3.0, 1.3, 3.0, 2.0, 0.4]
    assert source.values["NMXLV"].value == [0.0, 0.06, 1.0, 0.04, 2.0, 0.03]
    assert (source.values["RDMCR"].line, source.values["RDMCR"].unit) == (16, "cm")


def test_pcse_files_are_read_and_not_executed(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    text = PCSE + f"\nopen({str(ran)!r}, 'w')\nK2 = open({str(ran)!r}, 'w')\n"
    source = read(tmp_path, "bean.crop", text)
    assert source.format == "PCSE"
    assert source.values["FRTTB"].value == [0.0, 0.5, 1.2, 0.0, 2.0, 0.0]
    assert source.values["SOWN"].value == "dt.date(2010, 4, 1)"
    assert source.values["ROOTDM"].unit == "m"
    assert not ran.exists()


def test_yaml_varieties_take_over_what_they_do_not_say(tmp_path: Path) -> None:
    first, second = (read(tmp_path, "bean.yaml", YAML, variety) for variety in ("Bean_1", "Bean_2"))
    assert (first.values["TSUM1"].value, second.values["TSUM1"].value) == (700.0, 800.0)
    assert first.values["RDMCR"].value == second.values["RDMCR"].value == 90.0
    assert (first.values["RDMCR"].line, first.values["RDMCR"].unit) == (18, "cm")
    assert first.values["NMAXLV_TB"].value == [0.0, 0.06, 2.0, 0.033]
    assert "Metadata" not in first.values


def test_a_yaml_file_with_several_varieties_asks_for_one(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="holds 2 varieties; choose one: Bean_1, Bean_2"):
        read(tmp_path, "bean.yaml", YAML)
    with pytest.raises(UnknownNameError, match=r"unknown variety of .*; did you mean 'Bean_"):
        read(tmp_path, "bean.yaml", YAML, "Bean_3")


def test_a_value_given_twice_is_the_last_and_the_first_is_remembered(tmp_path: Path) -> None:
    source = read(tmp_path, "bean.cab", "** twice\nTSUM1 = 1.\nTSUM1 = 2.\nTSUM2 = 3.\nTSUM2 = 3.\n")
    assert source.values["TSUM1"].value == 2.0
    assert [each.line for each in source.repeated["TSUM1"]] == [2]
    assert "TSUM2" not in source.repeated


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.cab", "** a\nFRTB = 0.0, 0.5,\n", "a.cab, line 2: FRTB ends before its value does; complete it"),
        ("a.cab", "** a\nFRTB = 0.0, 0.5,\nTSUM1 = 3.\n", "a.cab, line 2: FRTB ends before"),
        ("a.cab", "** a\nTSUM1 =\n", "a.cab, line 2: TSUM1 ends before"),
        ("a.cab", "** a\nTSUM1 = 3.\nwhat is this\n", "a.cab, line 3: 'what is this' is no KEY = value"),
        ("a.cab", "** a\nTSUM1 = 3.\nNAME = 'bean\n", "a.cab, line 3: NAME has text without an end"),
        ("a.crop", "# a\nTSUM1 = 3.\nFRTTB = [0.0, 0.5,\n", "a.crop, line 3: '[' was never closed; correct the line"),
        ("a.crop", "# a\nTSUM1 = = 3.\nFRTTB = [0.0, 0.5]\n", "a.crop, line 2: invalid syntax"),
        ("a.yaml", "CropParameters:\n  Varieties: [1, 2\n", "a.yaml, line 3"),
        ("a.yaml", "CropParameters:\n  a: 1\n", "has no CropParameters with Varieties"),
        ("a.yaml", "just text", "is not made of KEY: value"),
        ("a.yaml", "CropParameters:\n  Varieties:\n    a:\n      <<: 3\n", "a.yaml, line 4: is not made of KEY"),
        ("a.yaml", "CropParameters:\n  Varieties: {}\n", "holds 0 varieties"),
        ("a.yaml", "a: *b\n", "a.yaml, line 1: found undefined alias"),
        ("a.yaml", "[" * 3000, "a.yaml"),
        ("a.txt", "Dear all,\nno crop here.\n", "is no crop parameter file of a known format; known: CABO"),
        ("a.txt", " \n\n", "is empty"),
        ("a.txt", "\0\1\2", "is not text"),
        ("a.ini", "[phenology]\nTSUM1 7\n", "is no crop parameter file of a known format"),
        ("a.ini", "[phenology]\nTSUM1 = 7\nno\n", "a.ini, line 3"),
    ],
)
def test_what_is_broken_is_refused_with_its_line(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(DataFileError) as error:
        read(tmp_path, name, text)
    assert message in str(error.value)


def test_other_encodings_are_refused_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "a.cab"
    path.write_bytes("** a\nTSUM1 = 3. ! é\n".encode("latin-1"))
    with pytest.raises(DataFileError, match=r"a.cab, line 2: is not UTF-8; save the file as UTF-8"):
        read_source(path)
    path.write_bytes("** a\nTSUM1 = 3.\n".encode("utf-16"))
    with pytest.raises(DataFileError, match="is not UTF-8"):
        read_source(path)
    path.write_bytes(b"\xef\xbb\xbf** a\r\nTSUM1 = 3.\r\n")  # with a byte order mark and the line ends of Windows
    assert read_source(path).values["TSUM1"].value == 3.0


@settings(max_examples=80, deadline=None)
@given(
    which=st.sampled_from(
        [("a.cab", CABO, None), ("a.ini", INI, None), ("a.crop", PCSE, None), ("a.yaml", YAML, "Bean_1")]
    ),
    place=st.floats(0.0, 1.0),
    cut=st.integers(0, 60),
    added=st.text(alphabet="0123456789.,=-+eE[]{}()'\"!#*;:<>&% \n\t\0éabc", max_size=8),
)
def test_damaged_files_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, which: tuple[str, str, str | None], place: float, cut: int, added: str
) -> None:
    name, text, variety = which
    at = int(place * len(text))
    path = written(tmp_path_factory.getbasetemp(), name, text[:at] + added + text[at + cut :])
    with contextlib.suppress(PhytotronError):
        import_crop([path], "bean", base="faba_bean", variety=variety)


def test_folders_missing_files_and_huge_ones_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="cannot be read"):
        read_source(tmp_path / "no.cab")
    with pytest.raises(DataFileError, match="cannot be read"):
        read_source(tmp_path)
    with pytest.raises(DataFileError, match="too large"):
        read(tmp_path, "big.cab", "*" * 4_000_001)


def test_a_yaml_tree_that_contains_itself_or_grows_without_end_is_read_in_no_time(tmp_path: Path) -> None:
    itself = "CropParameters:\n  Varieties:\n    a: &a\n      <<: *a\n      TSUM1: [3., x, ['C.d']]\n"
    assert read(tmp_path, "itself.yaml", itself).values["TSUM1"].value == 3.0
    levels = ["x0: &x0 {TSUM1: [3., x]}"]
    levels += [f"x{i}: &x{i} {{<<: [{', '.join([f'*x{i - 1}'] * 9)}]}}" for i in range(1, 40)]
    laughs = "\n".join(levels) + "\nCropParameters: {Varieties: {a: {<<: *x39}}}\n"
    assert read(tmp_path, "laughs.yaml", laughs).values["TSUM1"].value == 3.0
