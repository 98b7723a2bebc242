"""Controllers that give doses by rule: one at the start, some on dates, or a schedule for the season.

Doing nothing and acting at random suit any environment: `Constant` and `Random`, "off" and "random" by name.
"""

import calendar
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.controllers.base import Schedule
from phytotron.core.controller import Controller, Memory
from phytotron.core.errors import ShapeError, ValueRangeError
from phytotron.environments.field.seasons import MARCH
from phytotron.environments.field.task import FieldTask

PAPER_STANDARD_PRACTICE = 170.7  # kg ha-1, the best single dose of CropGym's authors on their training years
THREE_DATES = ((2, 24), (3, 26), (4, 29))  # month and day
SPLIT_DOSE = 120.0  # kg ha-1, in three parts: what winter wheat between legumes is given at most
NEAR = 1e-3  # kg ha-1


def date_number(day: tuple[int, int]) -> int:
    """Return the number of days from 1 January to a month and day of a common year."""
    try:
        return date(2001, *day).timetuple().tm_yday - 1
    except (TypeError, ValueError):
        raise ValueRangeError("a date", day, "a pair (month, day)") from None


def _check_dose(dose: float, dates: Any = THREE_DATES) -> None:
    if not (np.isfinite(dose) and dose >= 0.0 and dates):
        raise ValueRangeError("the dose", dose, "0 kg ha-1 or more, on one date or more")


@dataclass(frozen=True, eq=False)
class SingleDose(Controller):
    """Gives one dose [kg ha-1] at the first decision and nothing afterwards.

    The dose is one number, or one for each season of the weather. With the dose of `single_dose.ceres` this is Ceres,
    with that of `standard_practice` it is Standard Practice. The environment has to offer the dose:
    `doses=Continuous(1000)`, or a ladder that holds it.
    """

    environment: FieldTask[Any, Any]
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

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        dose = jnp.asarray(self.dose, self.environment.precision)
        dose = dose[state.season] if dose.ndim else dose
        now = jnp.where(state.day <= self.environment.first_day, dose, 0.0)
        return self.environment.processing.action(now, precision=self.environment.precision), memory


@dataclass(frozen=True, eq=False)
class DatedDoses(Controller):
    """Gives equal parts of a dose [kg ha-1], each at the last decision up to its date, or at the first decision.

    Doses are as near to these parts as the ladder allows.
    """

    environment: FieldTask[Any, Any]
    dose: float = PAPER_STANDARD_PRACTICE
    dates: tuple[tuple[int, int], ...] = THREE_DATES

    def __post_init__(self) -> None:
        for each in self.dates:
            date_number(each)
        _check_dose(self.dose, self.dates)

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        numbers = jnp.asarray([date_number(each) for each in self.dates])
        due = numbers + (params.weather.leap[state.season] & (numbers >= MARCH))
        due = jnp.maximum(due, self.environment.first_day)
        count = jnp.sum((due >= state.day) & (due < state.day + self.environment.interval))
        dose = self.dose / len(self.dates) * count
        return self.environment.processing.action(dose, precision=self.environment.precision), memory


def schedule(environment: FieldTask[Any, Any], doses: Any) -> Schedule:
    """Return a controller that gives doses [kg ha-1] by decision, as near to them as the ladder of the environment
    allows.
    """
    action = environment.processing.action(jnp.asarray(doses), precision=environment.precision)
    return Schedule(jnp.asarray(action, environment.action_space.dtype))


class SplitPractice(NamedTuple):
    """A usual dose [kg ha-1] in equal parts, each at the last decision up to its date (month, day)."""

    dose: float = SPLIT_DOSE
    dates: tuple[tuple[int, int], ...] = THREE_DATES

    @property
    def note(self) -> str:
        """The practice in words."""
        number = {2: "two", 3: "three"}.get(len(self.dates), str(len(self.dates)))
        days = [f"{day} {calendar.month_name[month]}" for month, day in self.dates]
        when = f"{', '.join(days[:-1])} and {days[-1]}"
        return f"{self.dose:g} kg/ha of nitrogen in {number} parts, about {when}"


def split_practice(
    environment: FieldTask[Any, Any],
    dose: float = SPLIT_DOSE,
    dates: tuple[tuple[int, int], ...] = THREE_DATES,
) -> Schedule:
    """Return a controller that gives equal parts of a dose [kg ha-1] at the last decisions up to dates (month, day).

    The schedule is the same in every year: dates are days of a common year, so that in leap years those after February
    come a day early.
    """
    _check_dose(dose, dates)
    doses = np.zeros(environment.episode_steps)
    for each in dates:
        decision = (date_number(each) - environment.first_day) // environment.interval
        doses[max(decision, 0)] += dose / len(dates)
    return schedule(environment, doses)
