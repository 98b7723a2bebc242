"""Trained policies as controllers that are named by their path."""

from pathlib import Path

import jax
import numpy as np
import pytest

from phytotron.agents.policy_files import load_policy
from phytotron.controllers.registry import make_controller
from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.environments.lettuce import Lettuce
from phytotron.evaluation.scores import evaluate
from phytotron.papers.trained import COMMITTED
from phytotron.planning.mpc import mpc

RUN = COMMITTED / "lettuce" / "gradients"
ENV = Lettuce(forecast=12, episode_days=1)


@pytest.mark.parametrize(
    ("name", "file"),
    [
        (f"policy(path={str(RUN)!r})", "seed_0"),
        (f"policy(path={str(RUN)!r}, number=3)", "seed_3"),
        (f"policy(path={str(RUN / 'policies' / 'seed_2.safetensors')!r})", "seed_2"),
    ],
)
def test_a_policy_acts_under_the_name_of_its_path(name: str, file: str) -> None:
    observation, state = ENV.reset(jax.random.key(0))
    given = [
        np.asarray(each.act(jax.random.key(0), (), observation, state, None)[0])
        for each in (make_controller(name, ENV), load_policy(RUN / "policies" / file))
    ]
    assert np.array_equal(*given)


def test_predictive_control_plans_around_a_policy_that_is_named() -> None:
    made = mpc(ENV, horizon_hours=1, around=f"policy(path={str(RUN)!r})")
    assert jax.tree.structure(made.guide) == jax.tree.structure(load_policy(RUN / "policies" / "seed_0"))


def test_what_is_no_policy_of_this_task_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PhytotronError, match="needs the path of a run"):
        make_controller("policy", ENV)
    with pytest.raises(ValueRangeError, match="a whole number below 5"):
        make_controller(f"policy(path={str(RUN)!r}, number=5)", ENV)
    with pytest.raises(PhytotronError, match="make the environment with the options it was trained with"):
        make_controller(f"policy(path={str(RUN)!r})", Lettuce())
    with pytest.raises(PhytotronError):
        make_controller(f"policy(path={str(tmp_path / 'nothing')!r})", ENV)


@pytest.mark.slow
def test_the_agent_of_lettuce_earns_more_on_the_benchmark_than_published_agents() -> None:
    env = Lettuce(forecast=12, weather="benchmark")
    assert float(evaluate(env, make_controller(f"policy(path={str(RUN)!r})", env)).values["return"].mean()) > 3.2
