"""A forecast of the weather as part of the observation: perfect, or less certain the further ahead."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.core.fields import Quantity, find, names
from phytotron.environments.greenhouse.observations import Situation
from phytotron.models.greenlight import Weather

HOUR = 3600  # s
# Error a day ahead for `error=1`: radiation in proportion to itself, the others in their unit.
DAY_AHEAD = {
    "global_radiation": 0.4,
    "outdoor_temperature": 2.0,
    "outdoor_vapour_pressure": 120.0,
    "wind_speed": 1.5,
    "sky_temperature": 4.0,
}


@dataclass(frozen=True)
class Forecast:
    """Weather 1, 2, ... `hours` hours ahead.

    `error` 0 is a perfect forecast. With 1 the standard deviation a day ahead is that of DAY_AHEAD; it grows with the
    square root of the lead, as that of a random walk, and the errors of successive hours belong to one walk. A new walk
    is drawn at every step.
    """

    hours: int
    variables: tuple[str, ...] = ("global_radiation", "outdoor_temperature", "outdoor_vapour_pressure", "wind_speed")
    error: float = 0.0

    def __post_init__(self) -> None:
        if isinstance(self.hours, bool) or not isinstance(self.hours, int) or not 1 <= self.hours <= 240:
            raise ValueRangeError("Forecast.hours", self.hours, "a whole number from 1 to 240")
        if not 0.0 <= self.error <= 10.0:
            raise ValueRangeError("Forecast.error", self.error, "0 (perfect) to 10")
        known = names(Weather) if self.error == 0.0 else tuple(DAY_AHEAD)
        for name in self.variables:
            if name not in known:
                raise UnknownNameError("weather input of a forecast", name, known)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        return tuple(
            replace(q, name=f"forecast.{q.name}+{hour}h", description=f"{q.description} in {hour} h")
            for q in (find(Weather, name) for name in self.variables)
            for hour in range(1, self.hours + 1)
        )

    def observe(self, situation: Situation) -> Array:
        leads = jnp.arange(1, self.hours + 1)
        ahead = jax.vmap(situation.series.at, (None, 0))(situation.start_day, situation.second + HOUR * leads)
        columns = ahead[:, jnp.array([names(Weather).index(name) for name in self.variables])].T
        if self.error > 0.0:
            columns = self._uncertain(situation.key, columns)
        return columns.reshape(-1)

    def _uncertain(self, key: Array, columns: Array) -> Array:
        walk = jnp.cumsum(jax.random.normal(key, columns.shape, columns.dtype), axis=1) / jnp.sqrt(24.0)
        rows = []
        for row, name in enumerate(self.variables):
            shift = (self.error * DAY_AHEAD[name]) * walk[row]
            value = columns[row] * (1.0 + shift) if name == "global_radiation" else columns[row] + shift
            q = find(Weather, name)
            rows.append(jnp.clip(value, q.low, q.high))
        return jnp.stack(rows)
