"""The simulation of two crops that share a field, day by day, and of their sole crops."""

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.environment import Info
from phytotron.core.fields import Value, quantity, record
from phytotron.environments.field.farming import KG_HA
from phytotron.environments.intercrop.interplay import Interplay, Pair
from phytotron.environments.intercrop.reward import Outcome
from phytotron.environments.intercrop.shared_field.observations import FieldObservation, observe_on_field
from phytotron.environments.intercrop.types import Crops, Season, States
from phytotron.models.intercropping.canopy import field_is_over
from phytotron.models.intercropping.field import advance_field, initial_field
from phytotron.models.intercropping.stand import (
    FIRST,
    NEVER,
    EdgeSharing,
    FieldManagement,
    FieldState,
    Rows,
    Rules,
    Sharing,
    Stand,
    with_soles,
)
from phytotron.models.intercropping.strips import Land, edge_share, whole_field
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
    """The factors of a shared field: how it is shared, and when and how densely its crops stand there.

    Winter wheat stands there on 1 January. Faba bean is sown on 31 March, the date that its published parameter set
    (after Grashoff 1992) names, and emerges 100 °C d later: at Wageningen between 8 and 22 April, on 11 April by
    default. Each crop is sown at half the density of a sole crop, the usual replacement series.
    """

    emergence_1: Value = _emergence(1, 0.0)
    emergence_2: Value = _emergence(2, 100.0)
    sown_share_1: Value = _sown(1)
    sown_share_2: Value = _sown(2)


@record
class EdgeFactors(EdgeSharing):
    """The sharing of the field by the revised rules, and when and how densely its crops stand there.

    Spring wheat and faba bean are drilled together in the second half of March, and emerge about 1 April, as the
    published set of spring wheat has it. Each crop is sown at half the density of a sole crop, the usual replacement
    series; in strips these are the shares of the land, each sown as a sole crop is.
    """

    emergence_1: Value = _emergence(1, 90.0)
    emergence_2: Value = _emergence(2, 90.0)
    sown_share_1: Value = _sown(1)
    sown_share_2: Value = _sown(2)


Factors = FieldFactors | EdgeFactors


@record
class WithSoles:
    """Both crops of the field and, on the same weather, each of them alone: four crops along the last axis."""

    fields: FieldState

    @property
    def field(self) -> FieldState:
        """The shared field: two crops along the last axis."""
        return jax.tree.map(lambda leaf: leaf[..., :2], self.fields)

    @property
    def crops(self) -> States:
        """The states of the crops of the shared field."""
        one, two = self.field.crops
        return one, two

    @property
    def land_equivalents(self) -> Array:
        """The grain of each crop of the field divided by that of its sole crop (..., 2); 0 before there is any."""
        return ratio(self.field.plants.grain_mass, self.fields.plants.grain_mass[..., 2:])


@record
class Tiles(WithSoles):
    """The same, where a part of the shared field has mixed rows and the rest has sole crops."""

    shared: Array  # share of the land on which the crops are mixed: all of it, or that near the edges of strips
    own: Array  # (2,) share of the rest that each crop has for itself

    @property
    def land(self) -> Land:
        """The shares of the land."""
        return Land(self.shared, self.own)

    @property
    def field(self) -> FieldState:
        """The whole field: two crops along the last axis."""
        return whole_field(self.fields, self.land)


@dataclass(frozen=True)
class SharedField(Interplay):
    """Crops that share light, water and nitrogen, in rows or strips; with `per_crop`, doses go beside their rows."""

    plots: ClassVar[float] = 1.0

    layout: str = "mixed"
    per_crop: bool = False
    rules: Rules = FIRST

    def stand(self, crops: Crops, factors: Factors) -> Stand:
        """Return the stand: both crops on one field, and each alone on another."""
        pair = Stand(
            crops=crops,
            emergence=(factors.emergence_1, factors.emergence_2),
            sown_share=(factors.sown_share_1, factors.sown_share_2),
            sharing=factors,
            layout=self.layout,
            neighbour=(1, 0),
            rules=self.rules,
        )
        return with_soles(pair)

    def with_soles(self, fields: FieldState, factors: Factors) -> Any:
        """Return the state of the four crops of `stand`, the sole crops included."""
        return WithSoles(fields=fields)

    def _rows(self, season: Season) -> Rows:
        return self.stand(season.crops, season.factors).together

    def emerge(self, season: Season, precision: str) -> WithSoles:
        return self.with_soles(initial_field(self._rows(season), precision), season.factors)

    def one_day(self, stand: WithSoles, today: Weather, dose: Array, season: Season) -> WithSoles:
        one, two = dose
        nothing = jnp.zeros_like(one)
        spread, banded = (one + two,) * 4, (nothing,) * 4
        if self.per_crop:
            spread, banded = (nothing, nothing, *self.sole_doses(stand, dose)), (one, two, nothing, nothing)
        management = FieldManagement(nitrogen=jnp.stack(spread), banded=jnp.stack(banded))
        return dataclasses.replace(stand, fields=advance_field(stand.fields, today, management, self._rows(season)))

    def sole_doses(self, stand: Any, dose: Array) -> Array:
        """Return the doses (2,) that the sole crops get, from those given beside the rows of each crop."""
        return dose

    def by_crop(self, dose: Array) -> Array:
        """Return the dose of each crop; of a dose for the whole field, each crop gets half."""
        return dose if dose.ndim else jnp.stack([dose, dose]) / 2.0

    def total(self, dose: Array) -> Array:
        return dose[0] + dose[1]

    def look(self, stand: WithSoles, today: Weather, season: Season) -> tuple[FieldObservation, FieldObservation]:
        return observe_on_field(stand.fields, today, self._rows(season), self.land(stand))

    def land(self, stand: Any) -> Land | None:
        """Return the shares of the land of mixed rows and sole crops; None where all of it has mixed rows."""
        return None

    def ended(self, stand: WithSoles, day: Array, season: Season) -> Pair:
        terminated = field_is_over(stand.fields, self._rows(season))[0]
        return terminated, ~terminated & season.weather_ends(day)

    def info(self, outcome: Outcome) -> Info:
        equivalents = outcome.land_equivalents
        return {
            "land_equivalents": equivalents,
            "land_equivalent_ratio": jnp.where(outcome.ended, equivalents[0] + equivalents[1], 0.0),
        }


@dataclass(frozen=True)
class EdgeField(SharedField):
    """A field by the revised rules: in strips, crops are mixed near the edges and stand alone between them."""

    def with_soles(self, fields: FieldState, factors: EdgeFactors) -> Tiles:  # type: ignore[override]
        like = fields.height.dtype
        sown = jnp.stack([jnp.asarray(each, like) for each in (factors.sown_share_1, factors.sown_share_2)])
        strips = self.layout == "strips"
        shared = edge_share(factors.strip_width, factors.edge_reach) if strips else 1.0
        return Tiles(fields=fields, shared=jnp.asarray(shared, like), own=ratio(sown, jnp.sum(sown)))

    def sole_doses(self, stand: Tiles, dose: Array) -> Array:
        return ratio(dose, stand.own)  # what a crop is given, on its own land only

    def land(self, stand: Tiles) -> Land:
        return stand.land

    def info(self, outcome: Outcome) -> Info:
        """Return also the nitrogen fixed in the season and left to the next crop [kg ha-1], at its end."""
        field = outcome.stand.field
        p = field.plants
        residues = p.leaf_nitrogen + p.stem_nitrogen + p.root_nitrogen + p.leaf_nitrogen_loss + p.root_nitrogen_loss
        at_end = {
            "fixed_nitrogen": jnp.sum(p.fixed_nitrogen, axis=-1),
            "residual_nitrogen": p.soil_nitrogen[..., 0] + jnp.sum(field.ground.band, axis=-1),
            "residue_nitrogen": jnp.sum(residues, axis=-1),
        }
        nitrogen = {name: jnp.where(outcome.ended, KG_HA * value, 0.0) for name, value in at_end.items()}
        return super().info(outcome) | nitrogen
