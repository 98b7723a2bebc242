"""The Gymnasium interface: conformity, seeds, copies, and what is refused."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from jax import Array

from phytotron.adapters.compiling import Packing
from phytotron.adapters.gymnasium_env import GymnasiumEnv
from phytotron.core.environment import Environment, Info
from phytotron.core.errors import PhytotronError, ShapeError, ValueRangeError
from phytotron.core.fields import Quantity
from phytotron.core.spaces import Box, Discrete

GREENHOUSE = "phytotron/Greenhouse-v0"


class Walk(Environment[Array, float]):
    """A noisy walk on a line, ended at 5: a small environment with choices and draws."""

    id = "test/Walk-v0"
    observation_space = Box.uniform(-100.0, 100.0, (1,))
    action_space = Discrete(3, ("left", "stay", "right"))
    default_params = 0.1
    episode_steps = 200
    fields: Mapping[str, Sequence[Quantity]] = {}

    def initial(self, key: Array, params: float) -> tuple[Array, Array]:
        place = jax.random.uniform(key, (1,), jnp.float32)
        return place, place

    def transition(
        self, key: Array, state: Array, action: Array, params: float
    ) -> tuple[Array, Array, Array, Array, Array, Info]:
        state = state + (action - 1).astype(jnp.float32) + params * jax.random.normal(key, (1,), jnp.float32)
        costs = {"beyond": jnp.maximum(state[0] - 3.0, 0.0)}
        return state, state, state[0], state[0] > 5.0, jnp.zeros((), bool), {"costs": costs}


@pytest.fixture(scope="module")
def greenhouse() -> gymnasium.Env[Any, Any]:
    # Which solver it is makes no difference here, and this one is compiled soonest.
    return gymnasium.make(GREENHOUSE, episode_days=1 / 24, solver="euler")


def play(env: gymnasium.Env[Any, Any], steps: int, action: Any) -> list[Any]:
    return [env.step(action) for _ in range(steps)]


def equal(one: Any, other: Any) -> bool:
    return all(map(np.array_equal, jax.tree.leaves(one), jax.tree.leaves(other)))


def test_the_greenhouse_passes_gymnasiums_checker(greenhouse: gymnasium.Env[Any, Any]) -> None:
    check_env(greenhouse.unwrapped)  # warnings are errors here


def test_an_environment_with_choices_passes_it_too() -> None:
    check_env(GymnasiumEnv(Walk()), skip_render_check=True)  # it has no specification to render by


def test_an_episode_is_numpy_and_truncated_at_its_end(greenhouse: gymnasium.Env[Any, Any]) -> None:
    observation, info = greenhouse.reset(seed=0)
    assert isinstance(observation, np.ndarray) and observation.dtype == np.float32
    assert observation in greenhouse.observation_space
    assert info == {"date": "2008-05-22T00:00", "window": "2008-05-22", "weather": "embedded:train"}
    outcomes = play(greenhouse, 12, np.zeros(4, np.float32))
    assert [(terminated, truncated) for _, _, terminated, truncated, _ in outcomes] == [(False, False)] * 11 + [
        (False, True)
    ]
    for observation, reward, *_, info in outcomes:
        assert observation in greenhouse.observation_space
        assert isinstance(reward, float) and np.isfinite(reward)
        assert set(info["costs"]) == {"temperature", "co2", "humidity"}


def test_it_steps_as_the_functional_environment_does(greenhouse: gymnasium.Env[Any, Any]) -> None:
    adapter = greenhouse.unwrapped
    assert isinstance(adapter, GymnasiumEnv)
    adapter.reset(seed=0)
    before, action = adapter.state, np.full(4, 0.3, np.float32)
    observation, reward, *_ = adapter.step(action)
    expected = adapter.environment.step(jax.random.key(0), before, action)
    assert observation == pytest.approx(np.asarray(expected[0]), rel=1e-5)  # the same operations, fused differently
    assert reward == pytest.approx(float(expected[2]), rel=1e-5)
    assert equal(adapter.state.step, expected[1].step)


def test_a_seed_fixes_the_episode_and_those_after_it() -> None:
    one, other = GymnasiumEnv(Walk()), GymnasiumEnv(Walk())
    runs = []
    for env in (one, other):
        runs.append([env.reset(seed=5), play(env, 5, 2), env.reset(), play(env, 5, 0)])
    assert equal(*runs)
    first, _, second, _ = runs[0]
    assert not equal(first, second)
    assert not equal(one.reset(seed=5), one.reset(seed=6))


def test_a_seed_is_taken_whole_however_large_it_is() -> None:
    """The seed that Gymnasium draws where none is given, `np_random_seed`, has 128 bits and can be given back."""
    env = GymnasiumEnv(Walk())
    begun = [env.reset(seed=seed)[0].item() for seed in (0, 1, 2**32, 2**32 + 1)]
    assert len(set(begun)) == 4 and env.np_random_seed == 2**32 + 1
    env = GymnasiumEnv(Walk())
    first = env.reset()
    assert equal(first, env.reset(seed=env.np_random_seed))


def test_without_a_seed_two_environments_differ() -> None:
    one, other = GymnasiumEnv(Walk()), GymnasiumEnv(Walk())
    assert not equal(one.reset(), other.reset())


def test_a_task_that_is_over_is_terminated() -> None:
    env = GymnasiumEnv(Walk())
    env.reset(seed=0)
    assert [terminated for _, _, terminated, _, _ in play(env, 7, 2)][-1]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_where_the_original_is(copied: Any) -> None:
    env = GymnasiumEnv(Walk())
    env.reset(seed=1)
    play(env, 3, 2)
    twin = copied(env)
    assert equal([play(env, 3, 2), env.reset()], [play(twin, 3, 2), twin.reset()])


def test_the_greenhouse_can_be_pickled_with_its_specification(greenhouse: gymnasium.Env[Any, Any]) -> None:
    greenhouse.reset(seed=0)
    twin = pickle.loads(pickle.dumps(greenhouse))
    action = np.full(4, -0.5, np.float32)
    assert equal(greenhouse.step(action), twin.step(action))
    assert twin.spec == greenhouse.spec
    assert twin.spec.id == GREENHOUSE


def test_options_reach_the_environment_and_wrong_ones_are_named() -> None:
    env = gymnasium.make(GREENHOUSE, reward="additive", first_day=(61, 71)).unwrapped
    assert isinstance(env, GymnasiumEnv)
    assert env.environment.reward == "additive"  # type: ignore[attr-defined]
    with pytest.raises(PhytotronError, match=r"'colour'.*reward"):
        gymnasium.make(GREENHOUSE, colour="red")


def test_what_makes_no_sense_is_refused(greenhouse: gymnasium.Env[Any, Any]) -> None:
    adapter = greenhouse.unwrapped
    adapter.reset(seed=0)
    with pytest.raises(ValueRangeError, match=r"action\[boiler\] is nan"):
        adapter.step(np.array([np.nan, 0.0, 0.0, 0.0]))
    with pytest.raises(ShapeError, match=r"expected \(4,\)"):
        adapter.step(np.zeros(5))
    with pytest.raises(PhytotronError, match="'day'"):
        adapter.reset(options={"day": 3})
    with pytest.raises(ValueRangeError, match="0 to 2"):
        fresh = GymnasiumEnv(Walk())
        fresh.reset(seed=0)
        fresh.step(3)
    with pytest.raises(PhytotronError, match="reset"):
        GymnasiumEnv(Walk()).step(0)


def test_packing_gives_back_every_leaf_with_its_shape_and_dtype() -> None:
    tree = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": [np.int32(7), np.bool_(True)], "c": np.float32(0.5)}
    packing = Packing(tree)
    packed = packing.pack(tree)
    assert {name: len(vector) for name, vector in packed.items()} == {"float32": 7, "int32": 1, "bool": 1}
    for vectors in (packed, {name: np.asarray(vector) for name, vector in packed.items()}):
        back = packing.unpack(vectors)
        assert equal(tree, back)
        assert [leaf.dtype for leaf in jax.tree.leaves(back)] == [leaf.dtype for leaf in jax.tree.leaves(tree)]


@pytest.mark.parametrize(
    "code",
    [
        f"import sys, gymnasium, phytotron\nassert '{GREENHOUSE}' in gymnasium.registry and 'jax' not in sys.modules",
        f"import sys, phytotron, gymnasium\nassert '{GREENHOUSE}' in gymnasium.registry and 'jax' not in sys.modules",
        f"import gymnasium\ngymnasium.make('phytotron:{GREENHOUSE}').reset(seed=0)",
    ],
    ids=["imported after gymnasium", "imported before gymnasium", "imported by make"],
)
def test_gymnasium_knows_the_ids(code: str) -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
