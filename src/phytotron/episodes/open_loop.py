"""Open-loop episodes: plans that are fixed before the episode begins, as functions that can be differentiated."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.adjoint import with_adjoint
from phytotron.core.compilation import single_kernel
from phytotron.core.controller import Controller, Memory
from phytotron.core.environment import Environment, Info
from phytotron.core.stepping import checked_choice, checked_initial, checked_transition, scored_transition
from phytotron.episodes.keys import start_keys, step_keys


class Outcome(NamedTuple):
    """The result of a plan."""

    total: Array  # return, or the sum of another gain
    remaining: Array  # what the state at its end is still worth, in the unit of the return
    over: Array  # whether the episode has ended with it
    length: Array  # steps until the end of the episode or of the plan
    actions: Array  # (steps, ...)

    @property
    def prospect(self) -> Array:
        """The return, plus the value of the last state where the episode continues after the plan."""
        return self.total + jnp.where(self.over, 0.0, self.remaining)


Act = Callable[[Array, Any], Array]  # the action of an entry of a plan and the state
Gain = Callable[[Array, Info], Array]  # what is added up of a step, of its reward and `info`


def as_planned(entry: Array, state: Any) -> Array:
    """Return the entry of a plan, which is the action itself."""
    return entry


def rewarded(reward: Array, info: Info) -> Array:
    """Return the reward of a step, the default gain of `follow`."""
    return reward


def follow(
    env: Environment[Any, Any],
    key: Array,
    plan: Array,
    params: Any,
    act: Act = as_planned,
    gain: Gain = rewarded,
) -> Outcome:
    """Run one episode from a start under a plan (steps, ...), with the random numbers that the engine would use.

    `act(entry, state)` turns an entry of the plan into an action: `env.toward` for plans of targets; by default,
    entries are actions. `gain(reward, info)` is what is added up; by default the reward. Steps after the end of the
    episode do not count. If the plan is shorter than the episode, the episode stops where the plan ends.
    """
    key, first, _ = start_keys(key)
    _, state = checked_initial(env, first, params)
    return follow_from(env, key, state, plan, params, act, gain)


def follow_from(
    env: Environment[Any, Any],
    key: Array,
    state: Any,
    plan: Array,
    params: Any,
    act: Act = as_planned,
    gain: Gain = rewarded,
    kernel: bool = True,
) -> Outcome:
    """Run a plan from any state of an episode, otherwise as `follow`.

    `kernel`: run a step as one kernel on the CPU. XLA cannot do that in a `while_loop` within a `scan`.
    """

    def moved(state: Any, action: Array, move: Array, active: Array, params: Any) -> tuple[Any, Array, Array]:
        _, after, reward, terminated, truncated, info = scored_transition(env, move, state, action, params)
        after = jax.tree.map(lambda new, old: jnp.where(active, new, old), after, state)
        return after, jnp.where(active, gain(reward, info), 0.0), active & ~(terminated | truncated)

    whole = with_adjoint(single_kernel(moved), moved) if kernel else moved

    def step(now: tuple[Array, Any, Array], entry: Array) -> tuple[tuple[Array, Any, Array], Any]:
        key, state, active = now
        key, _, move = step_keys(key)
        action = act(entry, state)
        after, gained, going_on = whole(state, action, move, active, params)
        return (key, after, going_on), (gained, active, action)

    plan = jnp.asarray(plan, env.action_space.dtype)
    (_, state, active), (gained, ran, actions) = jax.lax.scan(step, (key, state, jnp.ones((), bool)), plan)
    total = jnp.sum(gained)
    remaining = jnp.asarray(env.terminal_value(state, params), total.dtype)
    return Outcome(total, remaining, ~active, jnp.sum(ran), actions)


def wanted_by(env: Environment[Any, Any], key: Array, actions: Array, params: Any) -> Array:
    """Return the targets (steps, ...) that actions lead to in an episode from a start, as `env.toward` takes them."""
    key, first, _ = start_keys(key)
    _, state = checked_initial(env, first, params)

    def moved(move: Array, state: Any, action: Array, params: Any) -> Any:
        return checked_transition(env, move, state, action, params)[1]

    def step(now: tuple[Array, Any], action: Array) -> tuple[tuple[Array, Any], Array]:
        key, _, move = step_keys(now[0])
        return (key, single_kernel(moved)(move, now[1], action, params)), env.reached(action, now[1])

    return jax.lax.scan(step, (key, state), jnp.asarray(actions, env.action_space.dtype))[1]


def expected_of(
    env: Environment[Any, Any],
    key: Array,
    controller: Controller,
    observation: Array,
    state: Any,
    params: Any,
    steps: int,
) -> Array:
    """Return the targets (steps, ...) that a controller would have in the coming steps, as `env.toward` takes them."""

    def step(now: tuple[Array, Memory, Array, Any], _: None) -> tuple[tuple[Array, Memory, Array, Any], Array]:
        key, memory, observation, state = now
        key, choice, move = step_keys(key)
        action, memory = checked_choice(env, controller, choice, memory, observation, state, params)
        # Not as one kernel, which makes XLA abort here.
        following, after = checked_transition(env, move, state, action, params)[:2]
        return (key, memory, following, after), env.reached(action, state)

    now = key, controller.start(key), observation, state
    return jax.lax.scan(step, now, length=steps)[1]
