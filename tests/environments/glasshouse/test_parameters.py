"""The greenhouse of both tasks: names, objects, overrides, rule settings, and what contradicts itself."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from phytotron.core.errors import PhytotronError
from phytotron.environments.distributions import Choice, Relative, Uniform
from phytotron.environments.glasshouse.parameters import choose_parameters, choose_randomisation, choose_rules
from phytotron.environments.greenhouse import Greenhouse
from phytotron.environments.setpoint import GreenhouseSetpoint
from phytotron.models.greenlight import Parameters, load_parameters, scaled
from phytotron.models.greenlight.parameter_sets import WHOLE_HOUSE
from phytotron.models.greenlight.rules import RuleSettings, load_rule_settings

HOUSE = load_parameters("greenlight_gym_1p4ha_led")


@pytest.mark.parametrize("task", [Greenhouse, GreenhouseSetpoint])
@pytest.mark.parametrize(
    ("overrides", "first", "second"),
    [
        ({"pipe_inner_diameter": 0.2}, "pipe_inner_diameter", "pipe_outer_diameter"),
        ({"tauRfPar": 0.99, "rhoRfPar": 0.9}, "roof_par_transmission", "roof_par_reflection"),
        ({"hAir": 12.0}, "air_height", "greenhouse_height"),
    ],
    ids=["pipe", "light", "height"],
)
def test_a_task_refuses_a_greenhouse_that_cannot_be(
    task: type[Any], overrides: dict[str, float], first: str, second: str
) -> None:
    with pytest.raises(PhytotronError, match=rf"Parameters\.{first}.*{second}"):
        task(parameter_overrides=overrides)
    names = {"tauRfPar": "roof_par_transmission", "rhoRfPar": "roof_par_reflection", "hAir": "air_height"}
    made = dataclasses.replace(HOUSE, **{names.get(key, key): value for key, value in overrides.items()})
    with pytest.raises(PhytotronError, match=rf"Parameters\.{first}.*{second}"):
        task(parameters=made)


@pytest.mark.parametrize(
    ("randomise", "first", "second"),
    [
        ({"hAir": Uniform(3.0, 4.5)}, "air_height", "greenhouse_height"),
        ({"tauRfPar": Relative(0.1)}, "roof_par_transmission", "roof_par_reflection"),
        ({"tauRfNir": Relative(0.02), "rhoRfNir": Relative(0.3)}, "roof_nir_transmission", "roof_nir_reflection"),
        ({"hAir": Choice((3.6, 4.0)), "hGh": Choice((4.1, 3.9))}, "air_height", "greenhouse_height"),
    ],
    ids=["height", "light", "two that are possible alone", "two heights"],
)
def test_no_draw_can_contradict_itself(randomise: dict[str, Any], first: str, second: str) -> None:
    with pytest.raises(PhytotronError, match=rf"randomised Parameters\.{first}.*{second}"):
        Greenhouse(randomise=randomise)


def test_draws_that_stay_possible_are_accepted() -> None:
    many = {q: Relative(0.01) for q in ("hAir", "hGh", "tauRfPar", "rhoRfPar", "phiPipeI", "phiPipeE", "leaf_growth")}
    assert len(choose_randomisation(many, HOUSE)) == 7


def test_a_floor_area_that_varies_is_refused_with_what_to_vary_instead() -> None:
    with pytest.raises(PhytotronError, match=r"floor_area.*boiler_power"):
        Greenhouse(randomise={"aFlr": Relative(0.1)})


@pytest.mark.parametrize("task", [Greenhouse, GreenhouseSetpoint])
def test_another_floor_area_keeps_what_there_is_per_floor_area(task: type[Any]) -> None:
    wanted: Parameters = scaled(HOUSE, 2e4)
    made = task(parameters="greenlight_gym_1p4ha_led", parameter_overrides={"aFlr": 2e4}).default_params.model
    for name in (*WHOLE_HOUSE, "floor_area"):
        assert getattr(made, name) == getattr(wanted, name), name


def test_parameters_come_by_name_or_as_an_object() -> None:
    assert choose_parameters("greenlight_gym_1p4ha_led", {}) == HOUSE
    assert choose_parameters(HOUSE, {"thetaLampMax": 100.0}) == dataclasses.replace(HOUSE, lamp_power=100.0)


def test_rule_settings_come_by_name_as_an_object_as_changes_or_with_the_parameters() -> None:
    own = RuleSettings(temperature_day=21.0)
    assert choose_rules(own, HOUSE, "katzin2020_144m2") is own
    assert choose_rules("katzin2020_144m2", HOUSE, "katzin2021_4ha_led").humidity_maximum == 90.0
    assert choose_rules(None, "greenlight_gym_1p4ha_led", "x") == load_rule_settings("greenlight_gym_1p4ha_led")
    assert choose_rules(None, HOUSE, "katzin2021_4ha_led") == load_rule_settings("katzin2021_4ha_led")
    changed = choose_rules({"tSpDay": 22.0}, "greenlight_gym_1p4ha_led", "x")
    assert changed == load_rule_settings("greenlight_gym_1p4ha_led", tSpDay=22.0)
    assert Greenhouse(rules={"tSpDay": 22.0}).default_params.rules == changed
