"""LINTUL-3 fitted to observations of fields, by the same search and with the same account of what they tell."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.calibration.adjustable import Adjustable
from phytotron.calibration.laplace import Laplace
from phytotron.calibration.search import Evaluated, Found, Vector, search, starting_points
from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.core.fields import names
from phytotron.models.lintul3 import Management, Parameters, State, Weather, season

ROBUST = 4.0  # errors beyond which a residual counts linearly
_ROWS = (
    Adjustable("vegetative_temperature_sum", 400.0, 2500.0, 0.2),
    Adjustable("reproductive_temperature_sum", 300.0, 2000.0, 0.2),
    Adjustable("light_use_efficiency", 1.0, 5.0, 0.2),
    Adjustable("light_extinction", 0.3, 1.0, 0.2),
    Adjustable("specific_leaf_area", 0.01, 0.05, 0.2),
    Adjustable("juvenile_leaf_growth", 0.003, 0.03, 0.3),
    Adjustable("shade_leaf_death", 0.003, 0.1, 0.5),
    Adjustable("stem_remobilisation", 0.02, 0.6, 0.4),
    Adjustable("initial_soil_nitrogen", 1.0, 40.0, 0.5),
    Adjustable("mineralisation", 0.003, 0.2, 0.7),
)
FIELD_ADJUSTABLE: Mapping[str, Adjustable] = MappingProxyType({each.name: each for each in _ROWS})


@dataclasses.dataclass(frozen=True, eq=False)
class Observation:
    """Measurements of one state of the field on some mornings, counted from 0 at the start of the season."""

    quantity: str  # a field of `lintul3.State`
    days: Any
    values: Any
    error: float  # standard deviation of one measurement, in its unit


@dataclasses.dataclass(frozen=True, eq=False)
class FieldSeason:
    """One season: its weather and management by the day, and what was observed."""

    weather: Weather
    management: Management
    observations: Sequence[Observation]


class FieldObjective:
    """A measure of how far simulated seasons are from the observations, and parameters from their priors."""

    def __init__(self, start: Parameters, choice: Sequence[Adjustable], seasons: Sequence[FieldSeason]) -> None:
        for one in seasons:
            for observation in one.observations:
                _check(observation, one)
        self.start, self.choice = start, tuple(choice)
        self.prior = np.array([each.coordinate(float(getattr(start, each.name))) for each in choice])
        self.low = np.array([each.coordinate(each.low) for each in choice])
        self.high = np.array([each.coordinate(each.high) for each in choice])
        self._derived = jax.jit(lambda at: (self._residuals(at, seasons), jax.jacfwd(self._residuals)(at, seasons)))

    def parameters(self, coordinates: Any) -> Parameters:
        """Return the parameters at some coordinates."""
        values = {each.name: each.value(coordinates[k]) for k, each in enumerate(self.choice)}
        return dataclasses.replace(self.start, **values)

    def _residuals(self, coordinates: Any, seasons: Sequence[FieldSeason]) -> Any:
        found = []
        for one in seasons:
            states = season(one.weather, one.management, self.parameters(coordinates)).states
            for observation in one.observations:
                simulated = getattr(states, observation.quantity)[np.asarray(observation.days)]
                found.append((simulated - jnp.asarray(observation.values)) / observation.error)
        return jnp.concatenate(found)

    def evaluate(self, coordinates: Vector) -> Evaluated:
        """Return the loss, gradient and curvature, the priors included; a residual of many errors counts linearly."""
        precision = jnp.result_type(float)
        value, slopes = (np.asarray(each, float) for each in self._derived(jnp.asarray(coordinates, precision)))
        root, away = np.sqrt(1.0 + value**2 / ROBUST**2), coordinates - self.prior
        weighted = slopes / root[:, None]
        loss = ROBUST**2 * float(np.sum(root - 1.0)) + 0.5 * float(away @ away)
        return loss, weighted.T @ value + away, weighted.T @ slopes + np.eye(away.size)


@dataclasses.dataclass(frozen=True, eq=False)
class FieldCalibration:
    """The parameters of LINTUL-3 fitted to observations of fields, with their uncertainty."""

    parameters: Parameters
    found: Laplace
    searches: tuple[Found, ...]


def calibrate_field(
    start: Parameters,
    seasons: Sequence[FieldSeason],
    fit: Sequence[str] | None = None,
    starts: int = 1,
    seed: int = 0,
    **options: Any,
) -> FieldCalibration:
    """Fit parameters by name to all seasons together; `options` go to `search`."""
    for name in fit or ():
        if name not in FIELD_ADJUSTABLE:
            raise UnknownNameError("parameter that can be fitted", name, FIELD_ADJUSTABLE)
    choice = tuple(FIELD_ADJUSTABLE[name] for name in fit or FIELD_ADJUSTABLE)
    objective = FieldObjective(start, choice, seasons)
    searches = search(objective, starting_points(objective, starts, seed), **options)
    best = searches[0]
    covariance = np.asarray(np.linalg.inv(best.curvature), float)
    parameters = jax.tree.map(np.asarray, objective.parameters(best.coordinates))
    return FieldCalibration(parameters, Laplace(choice, best.coordinates, covariance), tuple(searches))


def _check(observation: Observation, season: FieldSeason) -> None:
    if observation.quantity not in names(State):
        raise UnknownNameError("state of the field", observation.quantity, names(State))
    days, values = np.asarray(observation.days), np.asarray(observation.values, float)
    length = np.shape(season.weather.irradiation)[0]
    if days.shape != values.shape or days.ndim != 1 or not days.size:
        raise ValueRangeError(
            f"the observations of {observation.quantity}", values.shape, f"one value per day, {days.shape}"
        )
    if days.min() < 0 or days.max() >= length:
        raise ValueRangeError(f"the days of {observation.quantity}", int(days.max()), f"0 to {length - 1}")
    if not np.isfinite(values).all() or not observation.error > 0.0:
        raise ValueRangeError(
            f"the observations of {observation.quantity}", "NaN or error <= 0", "numbers and a positive error"
        )
