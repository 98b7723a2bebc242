"""Whom agents of the wheat task are compared with, by name."""

from __future__ import annotations

import pytest

from phytotron.controllers import make_competitor, make_controller
from phytotron.core.errors import PhytotronError
from phytotron.environments.field.controllers import DatedDoses, SingleDose
from phytotron.environments.greenhouse import Greenhouse
from phytotron.environments.wheat import Continuous, WheatNitrogen
from phytotron.environments.wheat.single_dose import ceres, standard_practice
from phytotron.models.lintul3 import load_parameters


@pytest.mark.slow
def test_the_named_practices_do_what_they_are_called() -> None:
    env = WheatNitrogen(weather="embedded_wheat:test", years=(1980, 1992), doses=Continuous(1000), precision="float64")
    usual = make_controller("standard-practice", env)
    assert isinstance(usual, SingleDose) and usual.dose == standard_practice(env.seasons).dose[0]
    paper = make_controller("paper-practice", env)
    assert isinstance(paper, SingleDose) and paper.dose == 170.7
    assert isinstance(make_controller("three-dates", env), DatedDoses)


@pytest.mark.slow
def test_single_doses_are_found_with_the_parameters_of_the_task() -> None:
    env = WheatNitrogen(years=1991, parameters="pcse_winter_wheat", doses=Continuous(1000))
    found, parameters = make_competitor("ceres", env).controllers[0], load_parameters("pcse_winter_wheat")
    assert isinstance(found, SingleDose) and found.dose == ceres(env.seasons, parameters).dose
    assert found.dose != ceres(env.seasons).dose
    usual = make_controller("standard-practice", env)
    assert isinstance(usual, SingleDose) and usual.dose == standard_practice(env.seasons, parameters).dose[0]


@pytest.mark.slow
def test_practices_beyond_the_ladder_act_in_a_variant_that_offers_their_doses() -> None:
    ladder = WheatNitrogen(years=1991)
    found = make_competitor("paper-practice", ladder)
    assert found.environment.action_space.high[0] == 1000.0  # type: ignore[index]
    assert make_competitor("ceres", ladder).bound and make_competitor("none", ladder).environment is ladder
    with pytest.raises(PhytotronError, match="variant"):
        make_controller("standard-practice", ladder)


def test_what_does_not_go_together_is_named() -> None:
    watered = WheatNitrogen(years=1991, irrigation=(0, 20))
    assert watered.presentation.compare == ("none",)
    with pytest.raises(PhytotronError, match="without irrigation"):
        make_competitor("ceres", watered)
    with pytest.raises(PhytotronError, match="controller of phytotron/Greenhouse-v0"):
        make_controller("three-dates", Greenhouse())
    with pytest.raises(PhytotronError, match="controller of phytotron/WheatNitrogen-v0"):
        make_controller("rule-based", watered)
