"""The greenhouse of GreenLight-Gym's published code under an id of its own, and the agents that were trained in it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import pytest

from phytotron.agents.policy_files import check_fits, read_about
from phytotron.core import registry
from phytotron.core.errors import UnknownNameError
from phytotron.environments.greenhouse import Greenhouse, GreenLightGym
from phytotron.evaluation.other_weather import environment_on
from phytotron.papers.trained import COMMITTED
from phytotron.training.folder import RunFolder
from phytotron.weather.fetching.cache import FOLDER_VARIABLE
from phytotron.weather.greenhouse_weather import DatedWeather

ID = "phytotron/GreenLightGym-v0"
RUNS = sorted(path.parent for path in (COMMITTED / "greenlight_gym").glob("*/config.json"))


def test_weather_by_name_is_warmer_than_in_the_paper_and_made_weather_is_as_it_is() -> None:
    code, text = GreenLightGym(years=2009), Greenhouse(years=2009)
    warmer = code.windows[0].series("outdoor_temperature") - text.windows[0].series("outdoor_temperature")
    assert np.allclose(warmer, 1.5)
    assert GreenLightGym(weather=text.windows[0]).windows[0] is text.windows[0]


def test_dated_weather_has_an_episode_from_each_date() -> None:
    dates = (date(2009, 3, 1), date(2010, 8, 1))
    env = GreenLightGym(weather=DatedWeather(GreenLightGym().windows[0], dates))
    assert list(env.starts().labels) == ["2009-03-01", "2010-08-01"]


def test_it_differs_from_the_paper_in_name_and_by_its_own_defaults() -> None:
    code, text = registry.make(ID), registry.make("phytotron/Greenhouse-v0")
    assert (code.id, code.harvest_step, code.equations != text.equations) == (ID, 1.0, True)
    assert code.presentation.title != text.presentation.title
    assert set(code.observation_space.names) - set(text.observation_space.names)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_agents_of_the_package_fit_the_environment_that_their_run_names(run: Path) -> None:
    said = RunFolder(run).config()["environment"]
    env = registry.make(said["id"], **said["options"] | {"weather": "embedded:test", "years": None, "start_day": None})
    assert env.id == ID
    for path in RunFolder(run).list_policies():
        check_fits(read_about(path), env, str(path))
        assert read_about(path)["environment"] == said


def test_an_agent_can_be_judged_where_the_weather_of_its_training_is_not_at_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    options = {"weather": "knmi_240_hourly", "years": [2011], "reward": "additive"}
    assert environment_on(ID, options, {}, weather="embedded:test")[0].weather_name == "embedded:test"
    with pytest.raises(UnknownNameError, match="generous"):
        environment_on(ID, options, {"reward": "generous"}, weather="embedded:test")
