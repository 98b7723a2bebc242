"""A fertilising practice whose settings can be tuned: equal doses from a day on, until a total is reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.controller import Controller, Memory
from phytotron.core.fields import Quantity
from phytotron.core.tunable import TunableRules

if TYPE_CHECKING:
    from phytotron.environments.field.task import FieldTask

LATEST_BEGIN = 150.0  # days since 1 January
LARGEST_TOTAL = 400.0  # kg ha-1
INDIFFERENT = ("precision",)  # options for which settings need not be tuned anew


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class DosesUpToTotal(Controller):
    """Gives the same dose at every decision from a day on, until the total of the season is reached.

    Doses are as near to the wanted ones as the ladder of the environment allows. Settings are arrays, so that
    `evaluate_stacked` can run many candidates at once.
    """

    environment: FieldTask[Any, Any] = field(metadata={"static": True})
    first_day: Any  # since 1 January
    dose: Any  # kg ha-1
    total: Any  # kg ha-1

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """Return the dose, or what is left of the total."""
        left = jnp.clip(self.total - state.farming.total_dose, 0.0, self.dose)
        dose = jnp.where(state.day >= self.first_day, left, 0.0)
        return self.environment.processing.action(dose, precision=self.environment.precision), memory


def dosing_rules(env: FieldTask[Any, Any], usual_total: float) -> TunableRules:
    """Return `DosesUpToTotal` as tunable rules.

    Untuned, it gives a usual total [kg ha-1] as early as the available doses allow.
    """
    offered = (each.high for each in env.processing.quantities if each.name.startswith("nitrogen"))
    largest, first = float(sum(offered)), float(env.first_day)
    settings = (
        Quantity("first_day", "t_0", "d", "first day with a dose, since 1 January", first, LATEST_BEGIN, first),
        Quantity("dose", "N", "kg ha-1", "nitrogen of a decision", 0.0, largest, largest),
        Quantity("total", "ΣN", "kg ha-1", "nitrogen of the season", 0.0, LARGEST_TOTAL, usual_total),
    )

    def make(values: Mapping[str, Array]) -> Controller:
        return DosesUpToTotal(env, **values)

    return TunableRules(settings, make, INDIFFERENT)
