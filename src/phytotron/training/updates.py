"""Updates of many seeds in one compiled call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.agents.base import Agent

Numbers = dict[str, NDArray[Any]]


class Chunk(NamedTuple):
    """What some updates came to, one number per seed."""

    tally: Numbers  # sums over the episodes that ended
    losses: Numbers  # means over the updates
    finite: NDArray[np.bool_]  # whether all this and the policy still are numbers


class Updates:
    """Training of several seeds at once, by `vmap` over their states.

    What is compiled is one update: into which chunks training is cut changes no bit of it.
    """

    def __init__(self, agent: Agent, seeds: Sequence[int]) -> None:
        self.agent = agent
        self.seeds = tuple(seeds)
        self.params = agent.environment.default_params
        self._update: Callable[..., Any] | None = None
        self.policies: Callable[[Any], Any] = jax.jit(jax.vmap(agent.policy))

    def _first(self, params: Any) -> Any:
        keys = jnp.stack([jax.random.key(seed) for seed in self.seeds])
        return jax.tree.map(_strongly_typed, jax.vmap(self.agent.init, (0, None))(keys, params))

    def start(self) -> Any:
        """The state before the first update."""
        return jax.jit(self._first)(self.params)

    def template(self) -> Any:
        """Shapes and types of a state."""
        return jax.eval_shape(self._first, self.params)

    def compile(self, state: Any) -> None:
        """Ahead of time, so that compiling does not count as training."""
        made = jax.jit(self._once, donate_argnums=0)
        self._update = made.lower(state, self.params).compile()

    def advance(self, state: Any, count: int) -> tuple[Any, Chunk]:
        """After some updates; the state that was given cannot be used any more."""
        if self._update is None:
            self.compile(state)
        assert self._update is not None
        found = []
        for _ in range(count):  # without waiting: the next update is on its way while one is computed
            state, progress = self._update(state, self.params)
            found.append(progress)
        each = [jax.tree.map(np.asarray, progress) for progress in found]
        tally, losses = ({name: _total(each, part, name) for name in each[0][part]} for part in (0, 1))
        finite = np.all([one[2] for one in each], axis=0)
        return state, Chunk(tally, {name: total / count for name, total in losses.items()}, finite)

    def _once(self, state: Any, params: Any) -> tuple[Any, Any]:
        state, (tally, losses) = jax.vmap(self.agent.update, (0, None))(state, params)
        checked = jax.tree.leaves((tally, losses, jax.vmap(self.agent.policy)(state)))
        finite = jnp.all(jnp.stack([jnp.all(jnp.isfinite(each), range(1, each.ndim)) for each in checked]), axis=0)
        return state, (tally, losses, finite)


def _total(each: Sequence[Any], part: int, name: str) -> NDArray[np.float64]:
    return np.asarray(np.sum([one[part][name] for one in each], axis=0, dtype=np.float64))


def one_of(stacked: Any, row: int) -> Any:
    """The policy of one seed."""
    return jax.tree.map(lambda each: each[row], stacked)


def _strongly_typed(leaf: Array) -> Array:
    """As it comes back from a file: a weak type would have the loop compiled twice."""
    return leaf if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key) else jax.lax.convert_element_type(leaf, leaf.dtype)
