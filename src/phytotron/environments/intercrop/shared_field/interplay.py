"""This module defines how two crops share a field, day by day, and the sole crops beside it."""

from dataclasses import dataclass
from typing import ClassVar

import jax.numpy as jnp
from jax import Array

from phytotron.core.environment import Info
from phytotron.core.fields import Value, quantity, record
from phytotron.environments.intercrop.interplay import Interplay, Pair
from phytotron.environments.intercrop.reward import Outcome
from phytotron.environments.intercrop.shared_field.observations import FieldObservation, observe_on_field
from phytotron.environments.intercrop.types import Crops, Season, States
from phytotron.models.intercropping.canopy import field_is_over
from phytotron.models.intercropping.field import advance_field, initial_field
from phytotron.models.intercropping.stand import NEVER, FieldManagement, FieldState, Rows, Sharing, Stand, with_soles
from phytotron.models.lintul3 import Weather
from phytotron.models.lintul3.arithmetic import ratio


def _emergence(number: int, default: float) -> Value:
    meaning = f"days from 1 January to the emergence of crop {number}"
    return quantity(f"EM{number}", "d", meaning, default=default, low=0.0, high=NEVER)


def _sown(number: int) -> Value:
    meaning = f"density of crop {number} per that of its sole crop"
    return quantity(f"sown{number}", "-", meaning, default=0.5, low=0.0, high=10.0)


@record
class FieldFactors(Sharing):
    """A record of how the field is shared, and when and how densely its crops stand there.

    Winter wheat stands there on 1 January. Faba bean is sown on 31 March, the date that its published parameter set
    (after Grashoff 1992) names, and emerges 100 °C d later: at Wageningen between 8 and 22 April, on 11 April by
    default. Each crop is sown at half the density of a sole crop, the usual replacement series.
    """

    emergence_1: Value = _emergence(1, 0.0)
    emergence_2: Value = _emergence(2, 100.0)
    sown_share_1: Value = _sown(1)
    sown_share_2: Value = _sown(2)


@record
class WithSoles:
    """Both crops of the field and, on the same weather, each of them alone: four crops along the last axis."""

    fields: FieldState

    @property
    def crops(self) -> States:
        """The states of the crops of the shared field."""
        one, two, *_ = self.fields.crops
        return one, two

    @property
    def land_equivalents(self) -> Array:
        """Grain of each crop of the field per that of its sole crop (..., 2); 0 before there is any."""
        grain = self.fields.plants.grain_mass
        return ratio(grain[..., :2], grain[..., 2:])


def stand_of(crops: Crops, factors: FieldFactors, layout: str) -> Stand:
    """Return both crops on one field, and each alone on another."""
    pair = Stand(
        crops=crops,
        emergence=(factors.emergence_1, factors.emergence_2),
        sown_share=(factors.sown_share_1, factors.sown_share_2),
        sharing=factors,
        layout=layout,
        neighbour=(1, 0),
    )
    return with_soles(pair)


@dataclass(frozen=True)
class SharedField(Interplay):
    """Crops that share light, water and nitrogen, in rows or strips; with `per_crop`, doses go beside their rows."""

    plots: ClassVar[float] = 1.0

    layout: str = "mixed"
    per_crop: bool = False

    def _rows(self, season: Season) -> Rows:
        """Both crops of the field, and each of them alone."""
        return stand_of(season.crops, season.factors, self.layout).together

    def emerge(self, season: Season, precision: str) -> WithSoles:
        return WithSoles(fields=initial_field(self._rows(season), precision))

    def one_day(self, stand: WithSoles, today: Weather, dose: Array, season: Season) -> WithSoles:
        one, two = dose
        nothing = jnp.zeros_like(one)
        if self.per_crop:
            spread, banded = (nothing, nothing, one, two), (one, two, nothing, nothing)
        else:
            spread, banded = (one + two,) * 4, (nothing,) * 4
        management = FieldManagement(nitrogen=jnp.stack(spread), banded=jnp.stack(banded))
        return WithSoles(fields=advance_field(stand.fields, today, management, self._rows(season)))

    def by_crop(self, dose: Array) -> Array:
        """Return a dose for the whole field counts half for each crop."""
        return dose if dose.ndim else jnp.stack([dose, dose]) / 2.0

    def total(self, dose: Array) -> Array:
        return dose[0] + dose[1]

    def look(self, stand: WithSoles, today: Weather, season: Season) -> tuple[FieldObservation, FieldObservation]:
        return observe_on_field(stand.fields, today, self._rows(season))

    def ended(self, stand: WithSoles, day: Array, season: Season) -> Pair:
        terminated = field_is_over(stand.fields, self._rows(season))[0]
        return terminated, ~terminated & season.weather_ends(day)

    def info(self, outcome: Outcome) -> Info:
        equivalents = outcome.land_equivalents
        return {
            "land_equivalents": equivalents,
            "land_equivalent_ratio": jnp.where(outcome.ended, equivalents[0] + equivalents[1], 0.0),
        }
