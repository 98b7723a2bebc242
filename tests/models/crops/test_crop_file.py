"""Crop files: written and read again, and refused with the reason."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from phytotron.core.errors import DataFileError
from phytotron.models.crops import CROPS, describe_crop, load_crop, read_crop_file, write_crop_file


@pytest.mark.parametrize("name", CROPS)
def test_a_file_written_is_read_as_the_same(name: str, tmp_path: Path) -> None:
    file = describe_crop(name)
    path = tmp_path / "again.toml"
    write_crop_file(file, path)
    assert read_crop_file(path) == file
    assert load_crop(str(path)).height == load_crop(name).height


def test_a_file_made_from_the_revised_one_keeps_its_own_values_where_revised_ones_are_taken(tmp_path: Path) -> None:
    base = describe_crop("faba_bean").revised
    changed = {"vegetative_temperature_sum": dataclasses.replace(base.plant["vegetative_temperature_sum"], value=820.0)}
    path = tmp_path / "own.toml"
    write_crop_file(dataclasses.replace(base, plant={**base.plant, **changed}), path)
    made, revised = load_crop(path, revised=True).plant, load_crop("faba_bean", revised=True).plant
    assert float(made.vegetative_temperature_sum) == 820.0 != float(revised.vegetative_temperature_sum)
    assert float(made.specific_leaf_area) == float(revised.specific_leaf_area)


def test_odd_text_survives(tmp_path: Path) -> None:
    file = describe_crop("faba_bean")
    odd = type(file)("odd", 'quote " backslash \\ tab \t del \x7f é', file.sources, file.plant, file.height)
    write_crop_file(odd, tmp_path / "odd.toml")
    assert read_crop_file(tmp_path / "odd.toml") == odd


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('value = 1.0, unit = "m",', 'value = 100.0, unit = "cm",', "maximum_root_depth is in 'cm'; convert it to 'm'"),
        ('value = 1.0, unit = "m",', 'value = 100.0, unit = "m",', "maximum_root_depth is 100.0; expected 0.001 to 10"),
        ("light_extinction = {", "light_extinktion = {", "plant.light_extinktion is no parameter"),
        ("light_extinction = {", "wilting_point = {", "plant.wilting_point belongs to the field"),
        ('value = 0.8, unit = "-", source = "lintul5"', "value = 0.8", "expected { value"),
        ('value = 0.8, unit = "-", source = "lintul5"', 'value = 0.8, unit = "-", source = "x"', "list it under"),
        ('value = 0.8, unit = "-"', 'value = "much", unit = "-"', "light_extinction"),
        ("[0.54, 0.42]", "[0.54, 0.92]", "the sum of root_share, leaf_share, stem_share, grain_share at stage 0.54"),
        ("[0.54, 0.42]", f"[0.54, {10**400}]", "leaf_share"),
        ("[1.0, 0.2], [1.2, 0.04]", "[1.2, 0.2], [1.0, 0.04]", "expected x that increases"),
        ('name = "faba_bean"', 'nom = "faba_bean"', "unknown key 'nom'"),
        ('name = "faba_bean"', "", "has no `name`"),
        ('name = "faba_bean"', 'name = "a"\ndefault_source = []', "default_source is []; expected text"),
        ('"chosen here, see the note"', "3", "sources.chosen is 3; expected text"),
        ('source = "stics"', "source = {}", "source of height.maximum is {}; expected text"),
        ("[plant]", "[plant", "is not a crop file in TOML"),
        ("[height]", "", "is no parameter"),
    ],
)
def test_what_cannot_be_is_refused_by_name(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = CROPS["faba_bean"].read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "wrong.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataFileError) as error:
        read_crop_file(path)
    assert message in str(error.value)
    assert str(path) in str(error.value)


def test_a_number_where_a_table_should_be_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "short.toml"
    path.write_text('name = "a"\nplant = 3\nsources.a = "b"\n', encoding="utf-8")
    with pytest.raises(DataFileError, match=r"plant is 3; expected a table \[plant\]"):
        read_crop_file(path)


def test_a_missing_parameter_is_named(tmp_path: Path) -> None:
    lines = CROPS["faba_bean"].read_text(encoding="utf-8").splitlines()
    path = tmp_path / "short.toml"
    path.write_text("\n".join(line for line in lines if not line.startswith("light_ext")), encoding="utf-8")
    with pytest.raises(DataFileError, match="plant lacks light_extinction; add them, each with its source"):
        read_crop_file(path)


def test_what_is_no_text_and_what_is_not_there_are_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes('name = "fève"'.encode("latin-1"))
    with pytest.raises(DataFileError, match="is not text in UTF-8"):
        read_crop_file(tmp_path / "latin.toml")
    with pytest.raises(DataFileError, match="cannot be read"):
        read_crop_file(tmp_path)
    (tmp_path / "deep.toml").write_text("name = " + "[" * 100_000)
    with pytest.raises(DataFileError, match="nested too deeply"):
        read_crop_file(tmp_path / "deep.toml")


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken.toml").mkdir()
    with pytest.raises(DataFileError, match=r"taken.toml: cannot be written \(Is a directory\); choose another place"):
        write_crop_file(describe_crop("faba_bean"), tmp_path / "taken.toml")
