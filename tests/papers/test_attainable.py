"""Agents of the greenhouse that learned by gradients: they fit what they see, and earn more than the rules."""

import pytest

from phytotron.agents.policy_files import check_fits
from phytotron.papers.greenlight_gym.experiments.attainable import AGENTS, attainable
from phytotron.papers.greenlight_gym.experiments.recipes import OBSERVATIONS, training_task
from phytotron.papers.result import Settings
from phytotron.papers.trained import committed


@pytest.mark.parametrize("name", AGENTS)
def test_five_seeds_come_with_the_package_and_fit_their_observation(name: str) -> None:
    recipe, seen = AGENTS[name]
    run = committed(recipe)
    env = training_task(None, "additive", observation=OBSERVATIONS[seen])
    assert run.seeds == (0, 1, 2, 3, 4)
    for policy in run.policies:
        check_fits(policy, env, run.name)


@pytest.mark.slow
def test_they_earn_more_than_rules_and_ppo_on_weather_that_they_have_not_seen() -> None:
    result = attainable(Settings(quick=True))
    returns = {row.setting: row.ours for row in result.rows if row.quantity == "return"}
    by_gradients = [returns[name] for name in AGENTS if name.startswith("gradients")]
    assert min(by_gradients) > max(returns["PPO"], returns["grower's rules"])
    assert all(row.ours is not None for row in result.rows)
