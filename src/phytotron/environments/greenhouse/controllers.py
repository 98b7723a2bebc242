"""GreenLight's rule-based controller (grower's rules) in the greenhouse task."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jax import Array

from phytotron.core.controller import Controller, Memory
from phytotron.environments.greenhouse.types import GreenhouseParams, GreenhouseState
from phytotron.models.greenlight.rules import RuleSettings

if TYPE_CHECKING:
    from phytotron.environments.greenhouse.environment import Greenhouse


@dataclass(frozen=True, eq=False)
class RuleBased(Controller):
    """The grower's rules for the actuators that the action moves.

    Its set-points are those of the environment's parameters, or `settings` (see
    `models.greenlight.rules.load_rule_settings`, which takes overrides by name).
    """

    environment: Greenhouse
    settings: RuleSettings | None = None

    def act(
        self, key: Array, memory: Memory, observation: Array, state: GreenhouseState, params: GreenhouseParams
    ) -> tuple[Array, Memory]:
        """What the rules say about the actuators of the action."""
        if self.settings is not None:
            params = dataclasses.replace(params, rules=self.settings)
        wanted: Any = self.environment.rule_based(state, params)
        return self.environment.processing.action(wanted, state.control), memory
