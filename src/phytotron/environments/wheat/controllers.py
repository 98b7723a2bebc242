"""Farmers of the wheat task: one dose at the start, or doses on dates.

Doing nothing and acting at random suit any environment: `Constant` and `Random`, "off" and "random" by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.controller import Controller, Memory
from phytotron.core.errors import ShapeError, ValueRangeError
from phytotron.environments.field.zero_run import MARCH
from phytotron.environments.wheat.types import WheatParams, WheatState

if TYPE_CHECKING:
    from phytotron.environments.wheat.environment import WheatNitrogen

PAPER_STANDARD_PRACTICE = 170.7  # kg ha-1, the best single dose of the paper's authors on their training years
THREE_DATES = ((2, 24), (3, 26), (4, 29))  # month and day
NEAR = 1e-3  # kg ha-1


def date_number(day: tuple[int, int]) -> int:
    """Days since 1 January of a common year."""
    try:
        return date(2001, *day).timetuple().tm_yday - 1
    except (TypeError, ValueError):
        raise ValueRangeError("a date", day, "a pair (month, day)") from None


@dataclass(frozen=True, eq=False)
class SingleDose(Controller):
    """A dose [kg ha-1] at the first decision and nothing afterwards; one dose, or one for each season of the weather.

    With `single_dose.ceres(...).dose` this is Ceres, with that of `standard_practice` Standard Practice.
    The environment has to offer the dose: `doses=Continuous(1000)`, or a ladder that holds it.
    """

    environment: WheatNitrogen
    dose: Any

    def __post_init__(self) -> None:
        wanted, seasons = np.asarray(self.dose, float), self.environment.seasons.seasons
        if wanted.shape not in ((), (seasons,)):
            raise ShapeError("the dose", f"() or ({seasons},)", wanted.shape, "one, or one per season")
        processing = self.environment.processing
        offered = np.asarray(processing.decision(processing.action(wanted), self.environment.precision).nitrogen)
        if not np.all(np.abs(offered - wanted) <= NEAR * (1.0 + np.abs(wanted))):
            worst = float(np.ravel(wanted)[np.argmax(np.abs(np.ravel(offered - wanted)))])
            raise ValueRangeError("the dose", worst, "one that the environment offers, e.g. doses=Continuous(1000)")

    def act(
        self, key: Array, memory: Memory, observation: Array, state: WheatState, params: WheatParams
    ) -> tuple[Array, Memory]:
        dose = jnp.asarray(self.dose, self.environment.precision)
        dose = dose[state.season] if dose.ndim else dose
        first = state.model.day < self.environment.interval
        action = self.environment.processing.action(jnp.where(first, dose, 0.0), precision=self.environment.precision)
        return action, memory


@dataclass(frozen=True, eq=False)
class DatedDoses(Controller):
    """Equal parts of a dose [kg ha-1], each at the last decision up to its date, as near as the ladder comes to it."""

    environment: WheatNitrogen
    dose: float = PAPER_STANDARD_PRACTICE
    dates: tuple[tuple[int, int], ...] = THREE_DATES

    def __post_init__(self) -> None:
        for each in self.dates:
            date_number(each)
        if not (np.isfinite(self.dose) and self.dose >= 0.0 and self.dates):
            raise ValueRangeError("the dose", self.dose, "0 kg ha-1 or more, on one date or more")

    def act(
        self, key: Array, memory: Memory, observation: Array, state: WheatState, params: WheatParams
    ) -> tuple[Array, Memory]:
        numbers = jnp.asarray([date_number(each) for each in self.dates])
        due = numbers + (params.weather.leap[state.season] & (numbers >= MARCH))
        day = state.model.day.astype(jnp.int32)
        count = jnp.sum((due >= day) & (due < day + self.environment.interval))
        dose = self.dose / len(self.dates) * count
        return self.environment.processing.action(dose, precision=self.environment.precision), memory
