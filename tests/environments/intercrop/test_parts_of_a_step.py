"""The step in three parts, as InterCropGym has it, and the photosynthesis of crops that stand beside each other."""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from wheat_episodes import KEY

from phytotron.environments.intercrop import Intercrop, RevisedIntercropField, TwoCrops

WEEKS = 16  # to the end of April
ROUNDING = 1e-9  # the same operations, fused differently by the compiler


def in_april(env: TwoCrops) -> Any:
    """The state after some weeks, with fertiliser."""

    def week(state: Any, action: Any) -> tuple[Any, None]:
        return env.transition(KEY, state, action, env.default_params)[1], None

    actions = jnp.zeros(WEEKS, jnp.int32).at[12].set(2)
    return jax.jit(lambda: jax.lax.scan(week, env.initial(KEY, env.default_params)[1], actions)[0])()


@pytest.mark.slow
@pytest.mark.parametrize("task", [Intercrop, RevisedIntercropField], ids=["Intercrop", "IntercropField"])
def test_pre_step_update_and_step_make_up_a_transition(task: Any) -> None:
    env = task(years=1991, precision="float64")
    params, state, action = env.default_params, in_april(env), jnp.int32(3)

    @jax.jit
    def in_parts(state: Any, smaller: Any) -> Any:
        grown = env.pre_step(state, action, params)
        stand = env.update(state, grown, params)
        if task is Intercrop:  # what is between the parts is the user's
            one, two = stand.crops
            stand = dataclasses.replace(
                stand, crops=(dataclasses.replace(one, grain_mass=smaller + one.grain_mass), two)
            )
        return env.complete_step(KEY, state, action, grown, stand, params), grown

    whole = jax.jit(lambda: env.transition(KEY, state, action, params))()
    parts, grown = in_parts(state, 0.0)
    assert jax.tree.structure(parts) == jax.tree.structure(whole)
    for ours, theirs in zip(jax.tree.leaves(parts), jax.tree.leaves(whole), strict=True):
        assert np.asarray(ours) == pytest.approx(np.asarray(theirs), rel=ROUNDING, abs=ROUNDING)
    assert float(jnp.sum(grown.dose)) == 60.0 and not bool(grown.over)
    if task is Intercrop:
        assert float(grown.stand.crops[0].leaf_mass) > float(parts[1].crops[0].leaf_mass)  # before the effects
        assert float(in_parts(state, 5.0)[0][2] - parts[2]) == pytest.approx(5.0)  # the reward is of what it is given


@pytest.mark.slow
@pytest.mark.parametrize(
    "task",
    [
        lambda **options: Intercrop(interaction="none", emergence=(0.0, 60.0), **options),
        lambda **options: RevisedIntercropField(layout="strips", factors={"strip_width": 1.0}, **options),
    ],
    ids=["Intercrop", "IntercropField"],
)
def test_photosynthesis_of_a_day_is_what_the_crops_grow_on_it(task: Any) -> None:
    names = [f"crop_{n}.{each}" for n in (1, 2) for each in ("leaf_area_index", "photosynthesis", "total_growth")]
    env = task(years=1991, interval=1, observation=names, precision="float64")

    def day(state: Any, _: None) -> tuple[Any, Any]:
        observation, state, *_ = env.transition(KEY, state, jnp.int32(0), env.default_params)
        return state, observation

    start = env.initial(KEY, env.default_params)[1]
    shown = np.asarray(jax.jit(lambda: jax.lax.scan(day, start, None, length=150)[1])())
    for leaf_area, photosynthesis, growth in (shown[:, :3].T, shown[:, 3:].T):
        assert np.diff(growth) == pytest.approx(photosynthesis[:-1], rel=1e-6, abs=1e-9)
        assert photosynthesis.max() > 1.0 and leaf_area.max() > 0.5
