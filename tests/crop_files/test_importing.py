"""Making a crop from files of other programs: units, shares, conflicts, what is missing, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from crop_parameter_files import CABO, INI, PCSE, YAML

from phytotron.core.errors import PhytotronError
from phytotron.crop_files import Import, import_crop
from phytotron.models.crops import load_crop, read_crop_file, write_crop_file
from phytotron.models.lintul3.parameter_sets import SHARES


def imported(folder: Path, *texts: tuple[str, str], base: str | None = "faba_bean", **options: object) -> Import:
    paths = []
    for name, text in texts:
        paths.append(folder / name)
        paths[-1].write_text(text, encoding="utf-8")
    return import_crop(paths, "bean", base=base, **options)  # type: ignore[arg-type]


def refusal(folder: Path, *texts: tuple[str, str], **options: object) -> str:
    with pytest.raises(PhytotronError) as error:
        imported(folder, *texts, **options)  # type: ignore[arg-type]
    return str(error.value)


def test_names_and_units_become_those_of_the_model(tmp_path: Path) -> None:
    plant = imported(tmp_path, ("bean.cab", CABO)).file.crop().plant
    assert (plant.vegetative_temperature_sum, plant.reproductive_temperature_sum) == (700.0, 1100.0)
    assert (plant.initial_root_depth, plant.maximum_root_depth, plant.root_deepening) == (0.1, 0.9, 0.012)
    assert plant.specific_leaf_area == 0.02
    np.testing.assert_allclose(
        np.asarray(plant.specific_leaf_area_factor(np.array([0.0, 0.5, 1.0, 2.0]))), [1.0, 1.25, 1.5, 1.5]
    )
    assert (plant.light_extinction, plant.juvenile_leaf_growth, plant.nitrogen_fixation) == (0.7, 0.012, 0.75)
    assert (plant.root_death, plant.root_death_stage) == (0.02, 1.5)


def test_shares_of_the_shoot_become_shares_of_the_whole(tmp_path: Path) -> None:
    plant = imported(tmp_path, ("bean.cab", CABO)).file.crop().plant
    stages = np.linspace(0.0, 2.0, 201)
    np.testing.assert_allclose(sum(np.asarray(getattr(plant, share)(stages)) for share in SHARES), 1.0, atol=1e-8)
    root, leaf, stem, grain = (float(getattr(plant, share)(1.0)) for share in SHARES)
    assert root == pytest.approx(0.5 / 6.0)
    assert (leaf, stem, grain) == pytest.approx(tuple((1.0 - root) * part for part in (0.2, 0.5, 0.3)))
    # 60 kg ha-1 at emergence, half of it roots
    masses = (plant.initial_root_mass, plant.initial_leaf_mass, plant.initial_stem_mass)
    assert masses == pytest.approx((3.0, 1.8, 1.2))


def test_nitrogen_and_ageing_come_from_what_a_set_says_of_them(tmp_path: Path) -> None:
    made = imported(tmp_path, ("bean.ini", INI))
    plant = made.file.crop().plant
    contents = (plant.initial_leaf_nitrogen, plant.initial_stem_nitrogen, plant.initial_root_nitrogen)
    assert contents == pytest.approx((0.06, 0.024, 0.03))
    assert plant.ageing_temperature_sum == 720.0 + 0.2 * 1100.0
    assert plant.light_use_efficiency == 3.0
    reasons = {each.key: each.reason for each in made.unused}
    assert "is not that of LINTUL-3" in reasons["NLUE"]
    assert plant.light_use_nitrogen_effect == 0.2


def test_the_parameters_of_lintul3_itself_are_taken_as_they_are(tmp_path: Path) -> None:
    made = imported(tmp_path, ("bean.crop", PCSE))
    plant = made.file.crop().plant
    assert (plant.maximum_root_depth, plant.light_use_efficiency, plant.light_use_nitrogen_effect) == (0.9, 2.5, 0.3)
    assert float(plant.grain_share(1.2)) == pytest.approx(0.7)
    assert {each.key: each.reason for each in made.unused}["RTMIN"] == "belongs to the field, not to the crop"


def test_later_files_win_and_every_conflict_is_named(tmp_path: Path) -> None:
    made = imported(tmp_path, ("bean.cab", CABO), ("bean.ini", INI))
    found = {each.parameter: each for each in made.conflicts}
    assert set(found) == {"vegetative_temperature_sum", "root_death_stage", "nitrogen_fixation"}
    conflict = found["vegetative_temperature_sum"]
    assert conflict.claims == (("bean.cab, line 5, TSUM1", 700.0), ("bean.ini, line 5, TSUM1", 720.0))
    assert conflict.winner == "bean.ini, line 5, TSUM1"
    assert made.file.plant["vegetative_temperature_sum"].value == 720.0
    turned = imported(tmp_path, ("bean.ini", INI), ("bean.cab", CABO))
    assert turned.file.plant["vegetative_temperature_sum"].value == 700.0


def test_tables_that_say_the_same_with_other_points_agree(tmp_path: Path) -> None:
    other = "** b\nDTSMTB = 0., 0., 10., 10., 20., 20., 35., 20.\n"
    assert imported(tmp_path, ("bean.cab", CABO), ("other.cab", other)).conflicts == ()


def test_what_is_missing_comes_from_the_base_with_its_source(tmp_path: Path) -> None:
    made = imported(tmp_path, ("bean.cab", CABO))
    assert "critical_transpiration" in made.from_base
    assert "height.maximum" in made.from_base
    assert made.file.plant["critical_transpiration"].source == "faba_bean.lintul3"
    assert made.file.plant["maximum_root_depth"].source == "bean"
    assert made.file.plant["maximum_root_depth"].note == "RDMCR, line 42: from cm"
    assert sum(made.taken.values()) + len(made.from_base) == len(made.file.plant) + 3


def test_thermal_time_of_the_base_follows_the_crop(tmp_path: Path) -> None:
    made, faba = imported(tmp_path, ("bean.cab", CABO)).file.crop(), load_crop("faba_bean")
    assert made.plant.ageing_temperature_sum == pytest.approx(faba.plant.ageing_temperature_sum * 700.0 / 833.0)
    assert made.height.rate == pytest.approx(faba.height.rate * 833.0 / 700.0)


def test_without_a_base_what_is_missing_is_named(tmp_path: Path) -> None:
    message = refusal(tmp_path, ("bean.cab", CABO), base=None)
    assert "nothing gives light_use_efficiency" in message
    assert "--base faba_bean" in message


def test_an_import_can_be_written_loaded_and_be_a_base(tmp_path: Path) -> None:
    made = imported(tmp_path, ("bean.cab", CABO), ("bean.ini", INI))
    path = tmp_path / "made" / "bean.toml"
    write_crop_file(made.file, path)
    assert read_crop_file(path) == made.file
    assert load_crop(str(path)).plant.maximum_root_depth == 0.9
    again = imported(tmp_path, ("bean.yaml", YAML), base=str(path), variety="Bean_2").file
    assert again.plant["vegetative_temperature_sum"].value == 800.0
    assert again.plant["initial_root_depth"].source == "bean.bean"
    assert [each.name for each in path.parent.iterdir()] == ["bean.toml"]


def test_fast_juvenile_leaves_are_warned_of(tmp_path: Path) -> None:
    made = imported(tmp_path, ("bean.cab", CABO.replace("0.0120", "0.0500")))
    assert made.warnings[0].startswith("bean.cab: RGRLAI = 0.05 is a ceiling in WOFOST")
    assert imported(tmp_path, ("bean.cab", CABO)).warnings == ()


SHARED = "FLVTB = [0.0, 0.6, 1.2, 0.1, 2.0, 0.0]\nFSTTB = [0.0, 0.4, 1.2, 0.2, 2.0, 0.0]"
WHOLE = "FLVTB = [0.0, 0.3, 1.2, 0.1, 2.0, 0.0]\nFSTTB = [0.0, 0.2, 1.2, 0.2, 2.0, 0.0]"


def test_shares_of_the_shoot_under_names_of_the_whole_are_repaired_only_when_told(tmp_path: Path) -> None:
    wrong = PCSE.replace(WHOLE, SHARED)
    message = refusal(tmp_path, ("bean.crop", wrong))
    assert "bean.crop, line 13: FRTTB with FLVTB, FSTTB, FSOTB sums to 1.5 at stage 0, not to 1" in message
    assert "these look like shares of the above-ground part" in message
    assert "--shares-of-shoot" in message
    plant = imported(tmp_path, ("bean.crop", wrong), shares_of_shoot=True).file.crop().plant
    assert float(plant.leaf_share(0.0)) == pytest.approx(0.3)
    message = refusal(tmp_path, ("bean.crop", PCSE), shares_of_shoot=True)
    assert "these look like shares of the whole; if they are, leave --shares-of-shoot away" in message


def test_other_sums_are_refused_without_a_guess(tmp_path: Path) -> None:
    message = refusal(tmp_path, ("bean.crop", PCSE.replace("1.2, 0.7", "1.2, 0.8")))
    assert "sums to 1.1 at stage 1.2, not to 1; correct the tables" in message
    message = refusal(tmp_path, ("bean.cab", CABO.replace("0.00,    0.60", "0.00,    0.70")))
    assert "bean.cab, line 25: FLTB with FSTB, FOTB sums to 1.1 at stage 0, not to 1; correct" in message
    of_whole = CABO
    for old, new in (("0.00,    0.60", "0.00,    0.10"), ("1.20,    0.00,     !", "1.20,    0.50,     !")):
        of_whole = of_whole.replace(old, new)
    assert "look like" not in refusal(tmp_path, ("bean.cab", of_whole))


def test_rounding_of_published_shares_is_taken_out(tmp_path: Path) -> None:
    plant = imported(tmp_path, ("bean.crop", PCSE.replace("1.2, 0.7", "1.2, 0.701"))).file.crop().plant
    assert sum(float(getattr(plant, share)(1.2)) for share in SHARES) == pytest.approx(1.0, abs=1e-8)


@pytest.mark.parametrize(
    ("key", "new", "message"),
    [
        ("ROOTDM = 0.9", "ROOTDM = 120.", "line 8: ROOTDM is 120 m, which looks like another unit than m"),
        (
            "ROOTDM = 0.9",
            "ROOTDM = 9.0",
            "line 8: ROOTDM is 9 m, which looks like another unit than m; expected 0.1 to 5",
        ),
        ("ROOTDM = 0.9   # Maximum root depth [m]", "ROOTDM = 0.9 # [cm]", "stated in cm, although ROOTDM is in m"),
        ("SLAC = 0.02", "SLAC = 0.002", "SLAC is 0.002 m2 g-1, which looks like another unit"),
        (
            "RTMIN = 0.03",
            "RNMIN = 0.5",
            "sets 0.5 g m-2 of nitrogen free every day, 5 kg per ha: no fertiliser would matter",
        ),
        ("WCI = 0.3", "WCI = 0.2", "WCI starts the soil at 0.2, not above the wilting point 0.2"),
        ("WCI = 0.3", "WCI = 0.2\nWCWP = 0.25", "not above the wilting point 0.25"),
        ("K = 0.7", "K = 'much'", "line 11: K is 'much'; expected a number"),
        ("K = 0.7", "K = [0.7, 0.7]", "line 11: K is a table of 2 numbers; expected a number"),
        ("K = 0.7", "K = 0.5 + 0.2", "line 11: K is '0.5 + 0.2'; expected a number"),
        ("K = 0.7", "K = float('nan')", "expected a number"),
        ("K = 0.7", "K = -0.7", "line 11: K is -0.7, which is not an extinction"),
        ("1.2, 0.0,   # flowering is over", "1.2, 0.0, 0.3,", "has 7 numbers, which are not pairs x, y"),
        ("1.2, 0.0,   # flowering is over", "-1.2, 0.0,", "FRTTB is no table: FRTTB has x = [0.0, -1.2, 2.0]"),
        ("FSOTB = [0.0, 0.0, 1.2, 0.7, 2.0, 1.0]", "", "FRTTB stands without FSOTB; add the other partition tables"),
        ("FSOTB = [0.0, 0.0, 1.2, 0.7, 2.0, 1.0]", "FSOTB = 3.", "FSOTB is the single number 3; expected a table"),
        ("LUE = 2.5", "LUE = 25.", "LUE is 25 g MJ-1, which is not a growth per MJ"),
        ("LUE = 2.5", "RDRRT = -1.", "line 10: RDRRT cannot be: Parameters.root_death is -1.0; expected 0 to 1 d-1"),
        ("LUE = 2.5", "NMAXSO = 4.5", "NMAXSO is 4.5 g g-1, which looks like another unit than g g-1"),
    ],
)
def test_what_cannot_be_is_refused_with_file_line_and_remedy(tmp_path: Path, key: str, new: str, message: str) -> None:
    assert key in PCSE
    assert message in refusal(tmp_path, ("bean.crop", PCSE.replace(key, new)))


def test_depths_in_metres_under_a_name_in_centimetres_are_refused(tmp_path: Path) -> None:
    message = refusal(tmp_path, ("bean.cab", CABO.replace("RDMCR    =  90. ", "RDMCR    =  0.9 ")))
    assert "RDMCR is 0.009 m, which looks like another unit than m" in message
    message = refusal(tmp_path, ("bean.cab", CABO.replace("rooting depth [cm]\nNMIN", "rooting depth [m]\nNMIN")))
    assert "bean.cab, line 42: RDMCR is stated in m, although RDMCR is in cm; convert the value to cm" in message


def test_two_sets_of_partition_tables_in_one_file_are_refused(tmp_path: Path) -> None:
    assert "gives partition tables a second time" in refusal(
        tmp_path, ("bean.crop", PCSE + "FRTB = [0., 1., 2., 0.]\n")
    )


def test_values_of_several_files_that_do_not_go_together_are_refused(tmp_path: Path) -> None:
    shallow = "** b\nRDMCR = 15.\n"
    deep = "** c\nRDI = 40.\n"
    message = refusal(tmp_path, ("shallow.cab", shallow), ("deep.cab", deep))
    assert "initial_root_depth must not exceed maximum_root_depth" in message


def test_files_without_any_parameter_and_bad_names_are_refused(tmp_path: Path) -> None:
    assert "has no parameter of LINTUL-3" in refusal(tmp_path, ("a.cab", "** a\nAMAXTB = 0., 30., 2., 0.\n"))
    with pytest.raises(PhytotronError, match="the name of the crop is 'a b'"):
        import_crop([tmp_path / "a.cab"], "a b")
    with pytest.raises(PhytotronError, match="no crop files"):
        import_crop([], "bean")


def test_files_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "bean.cab").write_text(CABO, encoding="utf-8")
    (tmp_path / "bean.cab").write_text(CABO.replace("TSUM1    = 700.", "TSUM1    = 650."), encoding="utf-8")
    made = import_crop([tmp_path / "one" / "bean.cab", tmp_path / "bean.cab"], "bean", base="faba_bean")
    assert made.conflicts[0].winner == f"{tmp_path / 'bean.cab'}, line 5, TSUM1"
    assert made.file.plant["vegetative_temperature_sum"].source == "bean__2"
