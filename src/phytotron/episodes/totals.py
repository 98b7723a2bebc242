"""Sums over whole episodes, which are added up on the device while the episodes run."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.core.controller import Controller
from phytotron.core.environment import Environment
from phytotron.core.presentation import Step
from phytotron.episodes.engine import Function, Player, Progress, Rows, as_floats, measured, player

CHUNK = 288  # steps that are added up in the precision of the device; chunks are added up in float64


class Totals:
    """Runs stacked policies (policies, ...), which are given to `run`, or one controller, which is compiled in.

    Compiled functions are kept: the next policies of the same structure start at once.
    """

    def __init__(self, env: Environment[Any, Any], controller: Controller | None) -> None:
        self.env = env
        self.controller = controller
        self.length = -(-env.episode_steps // -(-env.episode_steps // CHUNK))
        self._players: dict[Any, Player] = {}

    def run(
        self, policies: Any, keys: Array, params: Any, axes: Any, progress: Progress | None
    ) -> dict[str, NDArray[np.float64]]:
        """Return the sums of the reward, of the steps and of every measure, each (policies, keys).

        Steps after the end of an episode do not count.
        """
        policies = policies if self.controller is None else jnp.zeros(1)  # one row
        begin, advance = self._player(axes)
        rows = begin(policies, keys, params)
        sums: dict[str, Any] = {}
        steps = self.env.episode_steps
        for done in range(self.length, steps + self.length, self.length):
            rows, added = advance(policies, rows, params)
            for name, each in added.items():
                sums[name] = sums.get(name, 0.0) + np.asarray(each, np.float64)
            over = not bool(jnp.any(rows.active))
            if progress is not None:
                progress(steps if over else min(done, steps), steps)
            if over:
                break
        return sums

    def _player(self, axes: Any) -> Player:
        leaves, structure = jax.tree.flatten(axes, is_leaf=lambda axis: axis is None)
        name = (tuple(leaves), structure)
        if name not in self._players:
            self._players[name] = player(self.env, self.controller, axes, self._counted, self._added)
        return self._players[name]

    def _counted(self, step: Step) -> Any:
        return as_floats(measured(self.env, step.reward, step.info) | {"length": 1.0})

    def _added(self, step: Function, rows: Rows) -> tuple[Rows, dict[str, Array]]:
        def once(now: tuple[Rows, Any], _: None) -> tuple[tuple[Rows, Any], None]:
            rows, (active, counted) = step(now[0])
            return (rows, {name: each + jnp.where(active, counted[name], 0.0) for name, each in now[1].items()}), None

        zeros = jnp.zeros(rows.active.shape, jnp.result_type(float))
        names = ("return", "length", *(measure.quantity.name for measure in self.env.measures))
        (rows, sums), _ = jax.lax.scan(once, (rows, dict.fromkeys(names, zeros)), length=self.length)
        return rows, sums
