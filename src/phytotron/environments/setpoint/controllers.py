"""The rule-based controller of the set-point task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import jax.numpy as jnp
from jax import Array

from phytotron.core.controller import Controller, Memory
from phytotron.environments.setpoint.observations import HIGHEST, LOWEST
from phytotron.environments.setpoint.types import SetpointParams, SetpointState

if TYPE_CHECKING:
    from phytotron.environments.setpoint.environment import GreenhouseSetpoint


@dataclass(frozen=True, eq=False)
class RuleBased(Controller):
    """The heating set-points of the rule settings (grower's rules) by day and by night, to the nearest action."""

    environment: GreenhouseSetpoint

    def act(
        self, key: Array, memory: Memory, observation: Array, state: SetpointState, params: SetpointParams
    ) -> tuple[Array, Memory]:
        """The set-point of the day or of the night, whichever the action sets."""
        by_day = self.environment.is_day(state, params)
        wanted = jnp.where(by_day, params.rules.temperature_day, params.rules.temperature_night)
        nearest = jnp.round(jnp.clip(wanted, LOWEST, HIGHEST) - LOWEST)
        return nearest.astype(self.environment.action_space.dtype), memory
