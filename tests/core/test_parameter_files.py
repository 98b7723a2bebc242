"""One form of file for parameters and options, of users and of calibrations, which every environment takes."""

from __future__ import annotations

from pathlib import Path

import pytest

import phytotron
from phytotron.core.errors import DataFileError, UnknownNameError
from phytotron.core.parameter_files import merged, options_from_file
from phytotron.core.registry import option_names
from phytotron.environments.glasshouse.parameters import choose_parameters, choose_rules
from phytotron.models.greenlight.greenhouse_file import read_greenhouse
from phytotron.models.greenlight.rules import load_rule_settings

GREENHOUSE, LETTUCE, INTERCROP = "phytotron/Greenhouse-v0", "phytotron/Lettuce-v0", "phytotron/Intercrop-v0"
SET = "katzin2020_144m2"

FORM = f"""
base = "{SET}"
[about]
log = "house 3"
[parameters]
floor_area = 400
[installation]
wet_area = 0.3
[rules]
temperature_day = 21
"""
OLDER = f"""
parameters = "{SET}"
floor_area = 400
[rules]
temperature_day = 21
"""


def written(folder: Path, text: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def options(path: Path, id: str) -> dict[str, object]:
    return options_from_file(path, option_names(id), id)


@pytest.mark.parametrize("text", [FORM, OLDER])
def test_both_forms_mean_the_same_to_environments_and_to_replays(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    assert options(path, GREENHOUSE) == {
        "parameters": SET,
        "parameter_overrides": {"floor_area": 400},
        "rules": {"temperature_day": 21},
    }
    greenhouse = read_greenhouse(path)
    assert greenhouse.floor_area == 400.0
    assert greenhouse.cover_area == pytest.approx(216.6 * 400.0 / 144.0)


def test_an_environment_of_any_task_takes_a_file_and_options_beside_it_count_more(tmp_path: Path) -> None:
    path = written(tmp_path, "episode_days = 2\n[parameters]\nc_leak = 0.5e-4\n[prices]\nheat = 0.2\nco2 = 0.5\n")
    env = phytotron.make(LETTUCE, parameters=path, prices={"heat": 0.3})
    params = env.default_params
    assert env.episode_days == 2 and params.model.leakage == pytest.approx(0.5e-4)
    assert (params.prices.heat, params.prices.co2) == pytest.approx((0.3, 0.5))


def test_the_folder_of_a_calibration_stands_for_its_file(tmp_path: Path) -> None:
    written(tmp_path, f'base = "{SET}"\n[parameters]\nleakage = 5e-5\n', "greenhouse.toml")
    assert options(tmp_path, GREENHOUSE)["parameter_overrides"] == {"leakage": 5e-5}
    assert choose_parameters(str(tmp_path), {}).leakage == 5e-5


def test_the_rules_of_a_file_are_those_of_the_set_that_it_begins_with(tmp_path: Path) -> None:
    path = written(tmp_path, f'base = "{SET}"\nleakage = 5e-5\n')
    assert choose_rules(None, str(path), "greenlight_gym_1p4ha_led") == load_rule_settings(SET)


def test_a_class_refuses_a_file_whose_options_it_would_ignore(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r"mine\.toml: has options of an environment \(rules\).*phytotron\.make"):
        choose_parameters(str(written(tmp_path, FORM)), {})


@pytest.mark.parametrize(
    ("text", "id", "message"),
    [
        ("floor_area: 400", GREENHOUSE, "is not a file of parameters in TOML"),
        ('base = "a"\nparameters = "b"', GREENHOUSE, "both name a parameter set"),
        ("base = 3", GREENHOUSE, "`base` is 3.*name of a parameter set"),
        ("parameters = 3", GREENHOUSE, "`parameters` is no table"),
        ("[ruls]\na = 1", GREENHOUSE, "ruls is no option of .*Greenhouse-v0; known: .*rules"),
        ('base = "a"', LETTUCE, "base = 'a': .*Lettuce-v0 has no parameter sets; leave it out"),
        ("floor_area = 400", INTERCROP, "floor_area is no option of .*Intercrop-v0; known: doses"),
        ("[parameters]\nfloor_area = 400", INTERCROP, r"\[parameters\]: the model of .* takes no numbers by name"),
    ],
)
def test_what_a_file_has_wrong_is_named(text: str, id: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=rf"mine\.toml: .*{message}"):
        options(written(tmp_path, text), id)


def test_a_missing_file_and_a_misspelt_number_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="cannot be read"):
        options(tmp_path / "none.toml", GREENHOUSE)
    with pytest.raises(UnknownNameError, match="flor_area"):
        phytotron.make(GREENHOUSE, parameters=written(tmp_path, "[parameters]\nflor_area = 400"))


def test_later_options_count_and_tables_are_put_together() -> None:
    found = merged({"a": 1, "prices": {"x": 1, "y": 1}}, {"prices": {"y": 2}}, {"a": 3})
    assert found == {"a": 3, "prices": {"x": 1, "y": 2}}
