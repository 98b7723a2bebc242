"""Presets make agents; what they cannot make is refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from phytotron.agents import AGENTS
from phytotron.core.errors import PhytotronError
from phytotron.environments.lettuce import Lettuce
from phytotron.environments.wheat import WheatNitrogen
from phytotron.training.presets import make_agent, make_settings, presets
from phytotron.training.setup import prepare


@pytest.mark.parametrize("agent", AGENTS)
def test_every_preset_makes_settings(agent: str) -> None:
    for name in presets(agent):
        settings = make_settings(agent, name)
        for setting, value in presets(agent)[name].settings.items():
            assert getattr(settings, setting) == value
    env = Lettuce() if agent == "apg" else WheatNitrogen()  # that one needs gradients
    assert make_agent(agent, env, make_settings(agent)).steps_per_update >= 1


def test_the_greenhouse_paper_is_set_as_printed() -> None:
    settings = make_settings("ppo", "greenlight-gym")
    assert settings.num_envs * settings.rollout == 34_560 and settings.clip == 0.5
    assert settings.normalise_observations and settings.normalise_rewards


def test_text_becomes_what_a_setting_is() -> None:
    changes = {"actor": "[32, 16]", "steps": "1e6", "learning_rate": "1", "value_clip": "null", "orthogonal": "false"}
    settings = make_settings("ppo", "cropgym", **changes)
    assert (settings.actor, settings.steps, settings.learning_rate) == ((32, 16), 1_000_000, 1.0)
    assert isinstance(settings.learning_rate, float) and settings.value_clip is None and settings.orthogonal is False
    assert make_settings("ppo", activation="relu").activation == "relu"


@pytest.mark.parametrize(
    ("agent", "preset", "changes", "message"),
    [
        ("pppo", "default", {}, "unknown agent 'pppo'; did you mean 'ppo'"),
        ("ppo", "greenlight", {}, "unknown preset of ppo 'greenlight'; did you mean 'greenlight-gym'"),
        ("ppo", "default", {"learning_rat": 1}, "did you mean 'learning_rate'"),
        ("ppo", "default", {"learning_rate": "high"}, "learning_rate is 'high'; expected a number"),
        ("ppo", "default", {"epochs": "2.5"}, "epochs is 2.5; expected a whole number"),
        ("ppo", "default", {"epochs": "true"}, "epochs is True; expected a whole number"),
        ("ppo", "default", {"staggered": "1"}, "staggered is 1; expected true or false"),
        ("ppo", "default", {"actor": "64"}, r"actor is 64; expected a list of whole numbers"),
        ("ppo", "default", {"actor": "[6.5]"}, "the widths of a network"),
        ("ppo", "default", {"minibatch": "7"}, "a divisor of"),
    ],
)
def test_what_is_no_setting_is_refused(agent: str, preset: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(PhytotronError, match=message):
        make_settings(agent, preset, **changes)


def test_a_run_is_prepared_from_names() -> None:
    setup = prepare(
        "phytotron/WheatNitrogen-v0", preset="quick-wheat", steps=9_000, patience=3, settings={"epochs": "2"}
    )
    assert setup.config.evaluation.weather == "embedded_wheat:validation" and setup.config.evaluation.every == 450
    assert setup.config.settings["epochs"] == 2 and setup.config.steps == setup.agent.settings.steps == 9_000
    assert setup.evaluation_environment is not None
    assert getattr(setup.evaluation_environment, "weather") == "embedded_wheat:validation"  # noqa: B009
    assert prepare("phytotron/WheatNitrogen-v0").evaluation_environment is None


def test_parts_are_those_of_the_split_that_an_environment_is_on() -> None:
    assert WheatNitrogen(years=1977).on("test").weather_name == "embedded_wheat:test"
    assert WheatNitrogen().on("embedded_wheat:validation").parts == ("train", "validation", "test")
    assert WheatNitrogen(weather="wageningen").parts == ()
    assert WheatNitrogen(weather="generated:wageningen-v1").on("test").weather_name == "embedded_wheat:test"
    with pytest.raises(PhytotronError, match="has no part 'test'; name weather as SPLIT:PART"):
        WheatNitrogen(weather="wageningen").on("test")
