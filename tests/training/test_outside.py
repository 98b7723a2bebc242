"""Environments and agents from outside the package are trained, swept and evaluated by `module:Class`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import outside_agents
import pytest
from toy_environments import Corridor
from typer.testing import CliRunner

from phytotron.agents.base import Progress
from phytotron.agents.policy_files import load_policy
from phytotron.cli import app
from phytotron.core.errors import PhytotronError
from phytotron.training.folder import RunFolder
from phytotron.training.presets import make_agent, make_settings, presets
from phytotron.training.setup import prepare
from phytotron.training.sweep.plan import plan

AGENT = "outside_agents:Guessing"


@pytest.mark.parametrize("environment", ["toy_environments:Corridor", "toy_environments:Aiming"])
def test_an_agent_of_another_package_trains_and_its_policies_are_evaluated(environment: str, tmp_path: Path) -> None:
    run, runner = tmp_path / "run", CliRunner()
    command = ["train", environment, "--agent", AGENT, "--output", str(run), "--seeds", "2", "--set", "spread=0.2"]
    result = runner.invoke(app, [*command, "--eval-every", "32"])
    assert result.exit_code == 0, result.output
    assert RunFolder(run).config()["settings"] == {"steps": 64, "spread": 0.2}
    assert [line["step"] for line in RunFolder(run).lines() if line["kind"] == "evaluation"] == [32, 64]
    assert load_policy(RunFolder(run).policy_path(1)).network.activation == "tanh"
    result = runner.invoke(app, ["evaluate", "--policy", str(run), "--episodes", "4", "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["rows"] == 2


def test_it_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    command = ["train", "toy_environments:Corridor", "--agent", AGENT, "--output", str(tmp_path / "run")]
    assert CliRunner().invoke(app, command).exit_code == 0
    again = CliRunner().invoke(app, [*command, "--resume"])
    assert again.exit_code == 0 and "Trained at step 64" in again.output


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("json:dumps", "the agent 'json:dumps' is the function dumps without Settings, init, update, policy"),
        ("outside_agents:AGENT", "is an object of the type int; expected a class of agents"),
        ("outside_agents:Unset", "has Settings that are no dataclass with the field steps"),
    ],
)
def test_what_is_no_agent_is_refused(agent: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside_agents, "AGENT", 3, raising=False)
    unset = type("Unset", (outside_agents.Guessing,), {"Settings": int})
    monkeypatch.setattr(outside_agents, "Unset", unset, raising=False)
    command = ["train", "toy_environments:Corridor", "--agent", agent, "--output", str(tmp_path / "run")]
    result = CliRunner().invoke(app, command)
    assert isinstance(result.exception, PhytotronError) and message in str(result.exception)


def test_a_class_of_agents_takes_an_environment_and_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    without = type("Without", (outside_agents.Guessing,), {"__init__": lambda self: None})
    monkeypatch.setattr(outside_agents, "Without", without, raising=False)
    with pytest.raises(PhytotronError, match="cannot be made of an environment and its settings"):
        make_agent("outside_agents:Without", Corridor(), make_settings("outside_agents:Without"))


@pytest.mark.parametrize("steps", [0, -8, 8.0, None, lambda self: 8])
def test_an_update_takes_a_whole_number_of_steps(steps: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unmoved = type("Unmoved", (outside_agents.Guessing,), {"steps_per_update": steps})
    monkeypatch.setattr(outside_agents, "Unmoved", unmoved, raising=False)
    command = ["train", "toy_environments:Corridor", "--agent", "outside_agents:Unmoved", "--output", f"{tmp_path}/run"]
    result = CliRunner().invoke(app, command)
    assert isinstance(result.exception, PhytotronError) and not (tmp_path / "run").exists()
    assert re.search("steps_per_update of .* is .*; expected a whole number, at least 1$", str(result.exception))


def only_the_state(agent: Any, state: Any, params: Any) -> Any:
    return outside_agents.Guessing.update(agent, state, params)[0]


def without_lengths(agent: Any, state: Any, params: Any) -> Any:
    after, (sums, losses) = outside_agents.Guessing.update(agent, state, params)
    return after, Progress({"return": sums["return"], "episodes": sums["episodes"]}, losses)


def another_state(agent: Any, state: Any, params: Any) -> Any:
    after, progress = outside_agents.Guessing.update(agent, state, params)
    return after._replace(key=after.key[None]), progress


@pytest.mark.parametrize(
    ("update", "words"),
    [
        (only_the_state, "Hasty.update does not give two values; give the next state and a Progress"),
        (without_lengths, "the episode_sums of Hasty.update lack length; give sums of what"),
        (another_state, r"Hasty.update changes its state: .key was .* and is .*; keep structure, shapes and dtypes"),
    ],
)
def test_an_update_of_another_form_is_refused(
    update: Any, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasty = type("Hasty", (outside_agents.Guessing,), {"update": update})
    monkeypatch.setattr(outside_agents, "Hasty", hasty, raising=False)
    command = ["train", "toy_environments:Corridor", "--agent", "outside_agents:Hasty", "--output", f"{tmp_path}/run"]
    result = CliRunner().invoke(app, command)
    assert isinstance(result.exception, PhytotronError) and re.search(words, str(result.exception)), result.exception


def test_a_setting_that_is_not_finite_is_refused_whatever_the_agent_checks() -> None:
    with pytest.raises(PhytotronError, match=r"^spread is inf; expected a finite number$"):
        make_settings(AGENT, spread="1e400")


def test_any_agent_has_the_preset_default_and_settings_by_name(tmp_path: Path) -> None:
    assert list(presets(AGENT)) == ["default"]
    assert make_settings(AGENT, spread="null").spread is None
    with pytest.raises(PhytotronError, match="did you mean 'spread'"):
        make_settings(AGENT, spred=0.1)
    trials = plan("toy_environments:Corridor", tmp_path, {"spread": [0.1, 0.3]}, {}, agent=AGENT)
    assert [trial.name for trial in trials] == ["spread=0.1", "spread=0.3"]
    assert prepare("toy_environments:Corridor", agent="ppo", preset="cropgym").config.preset == "cropgym"
