"""The land equivalent ratio of an intercrop by nitrogen dose, on all seasons at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from phytotron.core.fields import unstack
from phytotron.environments.field.zero_run import dated
from phytotron.environments.intercrop import IntercropField
from phytotron.environments.intercrop.field_types import stand_of
from phytotron.environments.wheat.measures import TONNES
from phytotron.environments.wheat.reward import KG_HA
from phytotron.models.intercropping.field import field_harvest
from phytotron.models.intercropping.states import FieldManagement
from phytotron.models.lintul3 import Weather

DOSES = (0.0, 40.0, 80.0, 120.0, 160.0)  # kg ha-1
# Half at tillering on 1 March, half at stem elongation on 10 April, as is usual for wheat; days since 1 January.
APPLIED = (59, 99)


@dataclass(frozen=True)
class LandEquivalents:
    """Yields [t ha-1] by dose and season, of crops 1 and 2 along the last axis."""

    doses: tuple[float, ...]  # kg ha-1
    intercropped: NDArray[np.float64]  # (doses, seasons, 2)
    sole: NDArray[np.float64]  # (doses, seasons, 2)
    seasons: tuple[str, ...]

    @property
    def partial(self) -> NDArray[np.float64]:
        """Land that each sole crop needs for what it yields in the intercrop, per land of the intercrop."""
        return np.divide(self.intercropped, self.sole, out=np.zeros_like(self.sole), where=self.sole > 0.0)

    @property
    def ratio(self) -> NDArray[np.float64]:
        """The land equivalent ratio (doses, seasons)."""
        return self.partial.sum(-1)


def land_equivalent_by_dose(environment: IntercropField, doses: Sequence[float] = DOSES) -> LandEquivalents:
    """Fields of the task's crops, soil and weather under doses [kg ha-1] that the whole field gets in two halves."""
    params = environment.default_params
    held = params.weather
    number = len(doses)
    weather = np.tile(np.moveaxis(np.asarray(held.values), 1, 0), (1, number, 1))
    given = np.zeros(weather.shape[:2])
    given[list(APPLIED)] = np.repeat(np.asarray(doses, float) / KG_HA / len(APPLIED), held.seasons)
    leap = jnp.tile(jnp.asarray(held.leap), number)
    crops: Any = tuple(_dated(crop, leap) for crop in params.crops)
    stand = stand_of(crops, params.factors, environment.layout)
    last = field_harvest(unstack(Weather, jnp.asarray(weather)), FieldManagement(nitrogen=given), stand)
    grain = TONNES * np.asarray(last.plants.grain_mass, float).reshape(number, held.seasons, 4)
    labels = tuple(environment.seasons.label(row) for row in range(held.seasons))
    return LandEquivalents(tuple(map(float, doses)), grain[..., :2], grain[..., 2:], labels)


def _dated(crop: Any, leap: Any) -> Any:
    return type(crop)(plant=dated(crop.plant, leap), height=crop.height)
