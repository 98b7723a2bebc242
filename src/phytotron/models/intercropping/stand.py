"""The stand of crops that share a field: how they share it, the states of the field, and its management.

States and management are per crop, along the last axis. Crops of one field have the same soil, once each and equal up
to rounding. Dry matter and nitrogen are in g m-2 and water in mm, all per area of the whole field.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.core.fields import Value, find, fraction, quantity, record, replace
from phytotron.models.crops import Crop
from phytotron.models.crops.crop import FIELD_PARAMETERS, Height
from phytotron.models.lintul3 import Parameters, State, Table, override
from phytotron.models.lintul3 import states as lintul3

# In days since 1 January: the emergence of a crop that is not sown, after every season.
NEVER = 1e4
LAYOUTS = ("mixed", "strips")


class Rules(NamedTuple):
    """The equations that a field follows; without any, those of `IntercropField-v0`.

    root_zones
        Each crop drinks from the soil that its own roots reach (`root_zones`), instead of one layer down to the deepest
        roots of the field.
    fixation_by_stage_and_water
        Fixation follows EPIC's rules of stage and soil water besides that of nitrate, instead of the latter only.
    edges
        Strips are mixed rows near their edges and sole crops between them (`strips`), instead of crops that share
        water and nitrogen over any distance and light by a view factor.
    """

    root_zones: bool = False
    fixation_by_stage_and_water: bool = False
    edges: bool = False


FIRST = Rules()
REVISED = Rules(root_zones=True, fixation_by_stage_and_water=True, edges=True)


@record
class Sharing:
    """The way in which crops of one field share its soil, and the width of strips.

    That a band spreads in two weeks is an assumption: nitrate moves some millimetres a day, and rows are 0.1 to 0.2 m
    apart.
    """

    placement_time: Value = quantity(
        "tauN", "d", "time constant with which banded fertiliser spreads to all roots", default=14.0, low=1.0, high=1e6
    )
    fixation_inhibition: Value = fraction(
        "FXN", "how far fixation follows the nitrate rule of EPIC: 0 not at all, 1 fully", default=0.0
    )
    strip_width: Value = quantity("l", "m", "mean width of the strips of both crops", default=1.5, low=0.05, high=100.0)


@record
class EdgeSharing(Sharing):
    """The sharing of a field by the revised rules.

    Fixation answers to nitrate. A strip is its neighbour's too near its edge: the share of its land that is so, at a
    distance x from the edge, is taken as exp(-x / reach). That the reach is 0.4 m is a choice: border-row effects of
    strips of wheat are observed in the outermost one to three rows, 0.15 to 0.45 m.
    """

    fixation_inhibition: Value = fraction(
        "FXN", "how far fixation follows the nitrate rule of EPIC: 0 not at all, 1 fully", default=1.0
    )
    edge_reach: Value = quantity(
        "r",
        "m",
        "distance from the edge of a strip over which the neighbour's effect falls to 1/e",
        default=0.4,
        low=0.01,
        high=10.0,
    )


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True, kw_only=True)
class Stand:
    """Crops and with whom they share their field; crops of one field have the same soil and site (see `make_stand`)."""

    crops: tuple[Crop, ...]
    emergence: tuple[Value, ...]  # d since the start of the season
    sown_share: tuple[Value, ...]  # sown density per that of the sole crop; it scales what a crop starts with
    sharing: Sharing
    layout: str = dataclasses.field(default="mixed", metadata={"static": True})
    neighbour: tuple[int, ...] = dataclasses.field(metadata={"static": True})  # whose field it is too; itself: alone
    rules: Rules = dataclasses.field(default=FIRST, metadata={"static": True})

    @property
    def together(self) -> Rows:
        """All crops as one: values along the last axis."""
        plants = [thinned(crop.plant, share) for crop, share in zip(self.crops, self.sown_share, strict=True)]
        return Rows(
            plants=side_by_side(plants),
            height=side_by_side([crop.height for crop in self.crops]),
            emergence=jnp.where(side_by_side(self.sown_share) > 0.0, side_by_side(self.emergence), NEVER),
            sharing=self.sharing,
            layout=self.layout,
            neighbour=self.neighbour,
            rules=self.rules,
        )


class Rows(NamedTuple):
    """The crops of a stand, along the last axis."""

    plants: Parameters  # at their density
    height: Height
    emergence: Array
    sharing: Sharing
    layout: str
    neighbour: tuple[int, ...]
    rules: Rules

    @property
    def alone(self) -> NDArray[np.bool_]:
        """Return whether each crop has no neighbour, (crops,)."""
        return np.array([other == own for own, other in enumerate(self.neighbour)])

    def other(self, value: Value, alone: float | bool = 0.0) -> Array:
        """Return the neighbour's value, or `alone` for a crop without one."""
        return jnp.where(self.alone, alone, jnp.asarray(value)[..., np.array(self.neighbour)])

    def of_field(self, value: Value) -> Array:
        """Return the sum over the crops of the field."""
        return value + self.other(value)


def side_by_side(each: Sequence[Any]) -> Any:
    """Return records of several crops as one; tables get the same number of points, a number of crops before them."""

    def joined(*leaves: Any) -> Any:
        if not isinstance(leaves[0], Table):
            return jnp.stack(jnp.broadcast_arrays(*map(jnp.asarray, leaves)), axis=-1)
        size = max(table.size for table in leaves)
        x, y = ([_lengthened(jnp.asarray(getattr(table, axis)), size) for table in leaves] for axis in ("x", "y"))
        return Table(jnp.stack(x, axis=-2), jnp.stack(y, axis=-2))

    return jax.tree.map(joined, *each, is_leaf=lambda leaf: isinstance(leaf, Table))


def _lengthened(points: Array, size: int) -> Array:
    """Return the points of tables with the last one repeated up to a size, which does not change their values."""
    last = jnp.broadcast_to(points[..., -1:], (*points.shape[:-1], size - points.shape[-1]))
    return jnp.concatenate([points, last], axis=-1)


def thinned(plant: Parameters, share: Value) -> Parameters:
    """Return a crop sown at a share of its usual density."""
    masses = (f"initial_{organ}_mass" for organ in ("leaf", "stem", "root", "grain"))
    return dataclasses.replace(plant, **{name: share * getattr(plant, name) for name in masses})


def make_stand(
    crops: Sequence[Crop],
    *,
    emergence: Sequence[float] = (),
    sown_share: Sequence[float] = (),
    soil: dict[str, Any] | None = None,
    sharing: Sharing | dict[str, Any] | None = None,
    layout: str = "mixed",
    rules: Rules = FIRST,
) -> Stand:
    """Return a checked stand. All crops get the soil and site of the first, changed by `soil` (by name or symbol).

    By default all crops emerge on the first day, and each is sown at an equal part of its usual density: a
    replacement series, in which a sole crop has its full density.
    """
    if len(crops) not in (1, 2):
        raise PhytotronError(f"{len(crops)} crops on one field; give one or two")
    number = len(crops)
    days = tuple(emergence) or (0.0,) * number
    shares = tuple(sown_share) or (1.0 / number,) * number
    for what, each, low, high in (("emergence", days, 0.0, NEVER), ("sown_share", shares, 0.0, 10.0)):
        if len(each) != number:
            raise ValueRangeError(what, each, f"{number} numbers, one per crop")
        if not np.all((np.asarray(each) >= low) & (np.asarray(each) <= high)):
            raise ValueRangeError(what, each, f"{low:g} to {high:g}")
    if layout not in LAYOUTS:
        raise UnknownNameError("layout", layout, LAYOUTS)
    for name in soil or {}:
        if find(Parameters, name).name not in FIELD_PARAMETERS:
            raise PhytotronError(
                f"{name} is a parameter of a crop, not of the soil; change the crop: load_crop(..., {name}=...)"
            )
    site = override(crops[0].plant, soil or {})
    given = {name: getattr(site, name) for name in FIELD_PARAMETERS}
    usual = EdgeSharing() if rules.edges else Sharing()
    return Stand(
        crops=tuple(dataclasses.replace(crop, plant=dataclasses.replace(crop.plant, **given)) for crop in crops),
        emergence=days,
        sown_share=shares,
        sharing=sharing if isinstance(sharing, Sharing) else replace(usual, sharing or {}),
        layout=layout,
        neighbour=(0,) if number == 1 else (1, 0),
        rules=rules,
    )


def with_soles(stand: Stand) -> Stand:
    """Return the crops of a field and the same ones at full density, each on a field of its own with the same soil."""
    number = len(stand.crops)
    return dataclasses.replace(
        stand,
        crops=stand.crops * 2,
        emergence=stand.emergence * 2,
        sown_share=(*stand.sown_share, *(1.0,) * number),
        neighbour=(*stand.neighbour, *range(number, 2 * number)),
    )


def sole(stand: Stand, number: int) -> Stand:
    """Return one of the crops on the same soil, at its full density."""
    return dataclasses.replace(
        stand,
        crops=(stand.crops[number],),
        emergence=(stand.emergence[number],),
        sown_share=(1.0,),
        neighbour=(0,),
    )


@record
class Ground:
    """Properties of the soil that LINTUL-3 does not have."""

    depth: Value = quantity("ROOTD", "m", "depth of the deepest roots on the field so far", low=0, high=10)
    band: Value = lintul3.nitrogen("Nband", "fertiliser beside the rows of the crop, which only that crop reaches")
    fertiliser_sum: Value = lintul3.nitrogen("TFERT", "fertiliser that reached the soil of the field so far")
    mineralised_sum: Value = lintul3.nitrogen("TMIN", "nitrogen that the soil has set free so far")


@record
class LayeredGround(Ground):
    """The ground of a soil whose water is in two layers: one that all crops reach, one below for deeper roots only."""

    upper_depth: Value = quantity("ROOTDU", "m", "depth that the roots of all standing crops reach", low=0, high=10)
    lower_water: Value = lintul3.water("WAL", "water below that depth, down to the deepest roots so far")


@jax.tree_util.register_dataclass
@dataclass(frozen=True, kw_only=True)
class FieldState:
    """Crops and their soils at the beginning of a day.

    The soil in `plants` is that of the whole field, down to the deepest roots; `transpiration_sum` and the sums of
    nitrogen are the crop's own, and with `Rules.root_zones` so is `water_content`. Before a crop emerges, it is the
    seed.
    """

    plants: State
    height: Array  # m
    ground: Ground

    @property
    def crops(self) -> tuple[State, ...]:
        """The states of LINTUL-3 of one crop after the other."""
        number = self.height.shape[-1]
        return tuple(jax.tree.map(lambda leaf, n=n: leaf[..., n], self.plants) for n in range(number))


@record
class FieldManagement:
    """The management on one day; each a number, or one per crop, equal for crops of one field unless banded."""

    nitrogen: Value = quantity("N_spread", "g{N} m-2 d-1", "nitrogen over the field", default=0.0, low=0, high=1e4)
    banded: Value = quantity("N_band", "g{N} m-2 d-1", "nitrogen beside the crop's rows", default=0.0, low=0, high=1e4)
    irrigation: Value = quantity("irrigate", "mm d-1", "irrigation water, before losses", default=0.0, low=0, high=1e4)
