"""Quantities that can be observed in every field: the doses given so far, and the weather of the last days."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import Quantity, unstack
from phytotron.environments.observing import observables
from phytotron.models.lintul3 import Weather

CM = 0.1  # per mm

# Of a situation with `farming` and `day`.
FARMING = observables(
    ("previous_dose", "N", "kg ha-1", "nitrogen applied at the last decision", 0, 1e4, lambda s: s.farming.dose),
    ("total_dose", "Nsum", "kg ha-1", "nitrogen applied so far", 0, 1e6, lambda s: s.farming.total_dose),
    ("applications", "n", "-", "decisions with a dose so far", 0, 1e3, lambda s: s.farming.applications),
    ("day", "DAY", "d", "days since 1 January", 0, 1e4, lambda s: s.day),
)

# Of the days (days, 7) of a situation's `weather`; the vapour pressure is no input of the model.
_DAILY = observables(
    ("irradiation", "IRRAD", "J m-2 d-1", "global radiation", 0.0, 6e7, lambda s: _days(s).irradiation),
    ("minimum_temperature", "TMIN", "°C", "lowest air temperature", -90.0, 60.0,
     lambda s: _days(s).minimum_temperature),
    ("maximum_temperature", "TMAX", "°C", "highest air temperature", -90.0, 60.0,
     lambda s: _days(s).maximum_temperature),
    ("vapour_pressure", "VAP", "hPa", "vapour pressure", 0.0, 100.0, lambda s: s.vapour_pressure),
    ("rain", "RAIN", "cm d-1", "precipitation", 0.0, 200.0, lambda s: CM * _days(s).rain),
)  # fmt: skip


def _days(situation: Any) -> Weather:
    return unstack(Weather, situation.weather)


@dataclass(frozen=True)
class DailyWeather:
    """Some quantities of the weather on each day of the last interval, oldest day first; the last one was `until` days
    ago.
    """

    days: int
    variables: tuple[str, ...] = tuple(_DAILY)
    until: int = 0  # d
    prefix: str = ""

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """Return the name, unit and range of each variable of each day, oldest day first."""
        each = [_DAILY[name][0] for name in self.variables]
        return tuple(
            replace(q, name=f"{self.prefix}{q.name}[-{ago}]", description=f"{q.description}, {ago} days ago")
            for ago in reversed(range(self.until, self.until + self.days))
            for q in each
        )

    def observe(self, situation: Any) -> Array:
        """Return the weather of the past days as one vector (days x variables,)."""
        rows = jnp.stack([_DAILY[name][1](situation) for name in self.variables], axis=-1)
        return rows.reshape(*rows.shape[:-2], -1)
