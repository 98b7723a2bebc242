"""CropGym's agents as they come with the package, on test years of weather that is not part of it."""

from __future__ import annotations

import numpy as np
import pytest
from shared_data import shared

from phytotron.papers.cropgym.experiments.recipes import DQN, PPO
from phytotron.papers.cropgym.experiments.tables import table2
from phytotron.papers.result import Settings
from phytotron.papers.trained import committed


def test_they_have_as_many_runs_as_the_paper_and_its_settings() -> None:
    for recipe in (PPO, DQN):
        run = committed(recipe)
        assert run.seeds == tuple(recipe.seeds) and run.steps >= 400_000
        assert run.config["agent"] == recipe.agent and run.config["preset"] == "cropgym"


@pytest.mark.slow
def test_on_unseen_years_rl_is_better_than_standard_practice_and_not_than_ceres() -> None:
    agents = table2(Settings(shared("weather"))).series["agents"]
    ceres, usual, ours = (np.median(agents[name]["cumulative reward"]) for name in ("Ceres", "SP", "RL"))
    assert usual < ours < ceres
