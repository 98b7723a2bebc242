"""A batch of environments to learn from: each episode is followed by a new one, and finished episodes are summed up."""

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.adjoint import with_adjoint
from phytotron.core.compilation import single_kernel
from phytotron.core.environment import Environment
from phytotron.core.stepping import checked_initial, scored_transition
from phytotron.episodes.engine import measured, summed_up

EpisodeSums = dict[str, Array]  # number of "episodes" that ended, and sums over these of return, length and measures


class VectorState(NamedTuple):
    """The state of a vector environment, with one row per environment."""

    key: Array
    observation: Array
    state: Any
    running: EpisodeSums  # of the episodes that go on
    cut: Array  # steps after which the first episode is cut short


class Transition(NamedTuple):
    """One step of a vector environment, with one row per environment."""

    observation: Array
    action: Array
    reward: Array
    terminal_value_change: Array  # terminal value after the step minus that before it, in the unit of the reward
    following: Array  # the observation after the step, before any new start
    terminated: Array
    truncated: Array


@dataclass(frozen=True, eq=False)
class VectorEnvironment:
    """`size` copies of an environment, stepped as one batch.

    With `staggered`, the first episode of each copy is cut short at a random step, so that the copies are not all at
    the same hour of the day or time of the season. Such a cut counts as a truncation.
    """

    environment: Environment[Any, Any]
    size: int
    staggered: bool = False

    def start(self, key: Array, params: Any) -> VectorState:
        """Start new episodes in all environments."""
        key, reset, draw = jax.random.split(key, 3)
        begin = jax.vmap(partial(checked_initial, self.environment), (0, None))
        observation, state = begin(jax.random.split(reset, self.size), params)
        latest = self.environment.episode_steps
        cut = jax.random.randint(draw, (self.size,), 1, latest + 1) if self.staggered else jnp.full(self.size, latest)
        nothing = {name: jnp.zeros(self.size, jnp.float32) for name in ("return", "length", *self._names)}
        return VectorState(key, observation, state, nothing, cut.astype(jnp.int32))

    def step(
        self, environments: VectorState, action: Array, params: Any
    ) -> tuple[VectorState, Transition, EpisodeSums]:
        """Act in every environment; where an episode ends, the next one begins."""
        keys = jax.random.split(environments.key, 1 + 2 * self.size)
        key, moves, resets = keys[0], keys[1 : 1 + self.size], keys[1 + self.size :]
        rows = (moves, resets, environments.state, environments.running, environments.cut, action)
        move = jax.vmap(self._move, (0, None))
        following, reward, change, terminated, truncated, now, running, cut, ended = with_adjoint(
            single_kernel(move), move
        )(rows, params)
        transition = Transition(environments.observation, action, reward, change, following, terminated, truncated)
        episode_sums = {name: jnp.sum(each) for name, each in ended.items()}
        return VectorState(key, now[0], now[1], running, cut), transition, episode_sums

    def hold(
        self, environments: VectorState, action: Array, params: Any, steps: int
    ) -> tuple[VectorState, Transition, EpisodeSums]:
        """Take the same action for some steps, as one transition, which ends where its episode does."""
        if steps == 1:
            return self.step(environments, action, params)

        def go_on(
            before: tuple[VectorState, Transition], _: None
        ) -> tuple[tuple[VectorState, Transition], EpisodeSums]:
            now, whole = before
            now, moved, episode_sums = self.step(now, action, params)
            over = whole.terminated | whole.truncated
            whole = whole._replace(
                reward=whole.reward + jnp.where(over, 0.0, moved.reward),
                terminal_value_change=whole.terminal_value_change + jnp.where(over, 0.0, moved.terminal_value_change),
                following=jnp.where(over[:, None], whole.following, moved.following),
                terminated=whole.terminated | (~over & moved.terminated),
                truncated=whole.truncated | (~over & moved.truncated),
            )
            return (now, whole), episode_sums

        zero = jnp.zeros(self.size, jnp.float32)
        no = jnp.zeros(self.size, bool)
        begun = Transition(environments.observation, action, zero, zero, environments.observation, no, no)
        (now, whole), sums_by_step = jax.lax.scan(go_on, (environments, begun), length=steps)
        return now, whole, {name: jnp.sum(each) for name, each in sums_by_step.items()}

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(measure.quantity.name for measure in self.environment.measures)

    def _move(self, row: tuple[Any, ...], params: Any) -> tuple[Any, ...]:
        move, reset, state, running, cut, action = row
        env = self.environment
        following, after, reward, terminated, truncated, info = scored_transition(env, move, state, action, params)
        reward = reward.astype(jnp.float32)
        change = jnp.asarray(env.terminal_value(after, params) - env.terminal_value(state, params), jnp.float32)
        added = measured(env, reward, info) | {"length": 1.0}
        running = {name: total + jnp.asarray(added[name], jnp.float32) for name, total in running.items()}
        truncated = truncated | (~terminated & (running["length"] >= cut))
        over = terminated | truncated
        first = checked_initial(env, reset, params)
        now = jax.tree.map(lambda new, old: jnp.where(over, new, old), first, (following, after))
        # A first episode that was cut short says nothing about how good the agent is.
        whole = over & (terminated | (running["length"] < cut) | (cut >= env.episode_steps))
        came_to = summed_up(env, running, running["length"])
        ended = {name: jnp.where(whole, each, 0.0) for name, each in came_to.items()}
        ended["episodes"] = whole.astype(jnp.float32)
        running = {name: jnp.where(over, 0.0, total) for name, total in running.items()}
        cut = jnp.where(over, env.episode_steps, cut)
        return following, reward, change, terminated, truncated, now, running, cut, ended
