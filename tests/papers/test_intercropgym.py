"""InterCropGym's results and the land equivalent ratio, reproduced from what comes with the package."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from phytotron.papers.intercropgym.experiments.land_equivalent_ratio import land_equivalent_ratio
from phytotron.papers.intercropgym.experiments.recipes import AGENTS, TASKS, recipe
from phytotron.papers.intercropgym.experiments.results import results
from phytotron.papers.registry import find_experiment
from phytotron.papers.result import Settings
from phytotron.papers.trained import committed
from phytotron.training.presets import make_settings

NAMES = ("intercropgym/results", "intercropgym/land-equivalent-ratio")


def test_the_experiments_are_registered() -> None:
    for name in NAMES:
        assert find_experiment(name).name == name


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("agent", AGENTS)
def test_the_committed_runs_are_those_of_the_recipes(task: str, agent: str) -> None:
    made = recipe(task, agent)
    run = committed(made)
    settings = make_settings(made.agent, made.preset, **made.changes)
    assert run.config["settings"] == json.loads(json.dumps(dataclasses.asdict(settings)))
    assert run.seeds == tuple(made.seeds) and run.steps >= settings.steps
    assert run.options["reward_parameters"] == {"nitrogen_penalty": TASKS[task]}


@pytest.mark.slow
def test_wheat_and_faba_bean_need_less_land_together_and_less_so_with_more_nitrogen() -> None:
    found = land_equivalent_ratio(Settings())
    ratios = np.asarray(found.series["ratio"])
    means = ratios.mean(axis=1)
    assert ratios.shape[1] >= 20
    assert np.all((means > 1.05) & (means < 1.4)) and np.all(np.diff(means) < 0.0)
    assert find_experiment(NAMES[1]).draw(found).axes


@pytest.mark.slow
def test_agents_learn_what_nitrogen_is_worth() -> None:
    found = results(Settings())
    ours = {(row.setting, row.quantity): row.ours for row in found.rows}

    def reward(setting: str) -> float:
        value = ours[setting, "reward"]
        assert value is not None
        return value

    for agent in AGENTS:
        assert reward(f"beta 10: {agent}") == pytest.approx(0.0, abs=1e-2)  # nothing pays, and they give nothing
        assert ours[f"beta 10: {agent}", "nitrogen, both crops"] == 0.0
        assert reward(f"beta 2: {agent}") > max(reward("beta 2: never"), reward("beta 2: best constant dose"))
        assert reward(f"beta 2: {agent}") > reward("beta 2: split practice")
    assert reward("beta 10: best fixed dose of each year") == pytest.approx(0.0, abs=1e-2)
    without, with_most = (
        ours[f"published code: {each}", "grain of crop 2"] for each in ("no fertiliser", "120 kg/ha every week")
    )
    assert without == pytest.approx(with_most, rel=0.005)
    assert find_experiment(NAMES[0]).draw(found).axes
