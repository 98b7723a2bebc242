"""Farmers of the intercrops: doses that are fixed before the season.

Doing nothing and acting at random suit any environment: "off" and "random" by name. The best fixed doses are found by
`papers.intercropgym.experiments.fixed_doses`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.controller import Controller, Memory
from phytotron.core.errors import ValueRangeError
from phytotron.environments.wheat.controllers import THREE_DATES, date_number

if TYPE_CHECKING:
    from phytotron.environments.intercrop.base import TwoCrops

SPLIT_DOSE = 120.0  # kg ha-1, in three parts: what winter wheat between legumes is given at most


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Schedule(Controller):
    """An action for every decision of the season; the last one holds beyond its end.

    Its actions are an array, so that `vmap` and `evaluate_stacked` take many schedules at once.
    """

    actions: Array

    def start(self, key: Array) -> Memory:
        return jnp.zeros((), jnp.int32)

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        return self.actions[jnp.minimum(memory, self.actions.shape[0] - 1)], memory + 1


def split_practice(environment: TwoCrops, dose: float = SPLIT_DOSE) -> Schedule:
    """Three equal parts of a dose [kg ha-1] at the last decisions up to 24 February, 26 March and 29 April."""
    if not (np.isfinite(dose) and dose >= 0.0):
        raise ValueRangeError("the dose", dose, "0 kg ha-1 or more")
    doses = np.zeros(environment.episode_steps)
    for date in THREE_DATES:
        decision = date_number(date) // environment.interval - 1  # the first falls on the day `interval`
        doses[max(decision, 0)] += dose / len(THREE_DATES)
    return schedule(environment, doses)


def schedule(environment: TwoCrops, doses: Any) -> Schedule:
    """Doses [kg ha-1] by decision, as near as the ladder of the environment comes to them."""
    action = environment.processing.action(jnp.asarray(doses), precision=environment.precision)
    return Schedule(jnp.asarray(action, environment.action_space.dtype))
