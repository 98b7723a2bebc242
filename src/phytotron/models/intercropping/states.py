"""What fields of one or two crops know, and what the farmer does on them.

All is per crop, along the last axis. Crops of one field have the same soil, once each and equal up to rounding. Dry
matter and nitrogen are in g m-2 and water in mm, all per area of the whole field.
"""

from __future__ import annotations

from dataclasses import dataclass

import jax
from jax import Array

from phytotron.core.fields import Value, quantity, record
from phytotron.models.lintul3 import State
from phytotron.models.lintul3 import states as lintul3


@record
class Ground:
    """What LINTUL-3 does not know of the soil."""

    depth: Value = quantity("ROOTD", "m", "depth of the deepest roots on the field so far", low=0, high=10)
    band: Value = lintul3.nitrogen("Nband", "fertiliser beside the rows of the crop, which only that crop reaches")
    fertiliser_sum: Value = lintul3.nitrogen("TFERT", "fertiliser that reached the soil of the field so far")
    mineralised_sum: Value = lintul3.nitrogen("TMIN", "nitrogen that the soil has set free so far")


@jax.tree_util.register_dataclass
@dataclass(frozen=True, kw_only=True)
class FieldState:
    """Crops and their soils at the beginning of a day.

    The soil in `plants` is that of the whole field, down to the deepest roots; `transpiration_sum` and the sums of
    nitrogen are the crop's own. Before a crop emerges, it is the seed.
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
    """What the farmer does on one day; each a number, or one per crop, equal for crops of one field unless banded."""

    nitrogen: Value = quantity("N_spread", "g{N} m-2 d-1", "nitrogen over the field", default=0.0, low=0, high=1e4)
    banded: Value = quantity("N_band", "g{N} m-2 d-1", "nitrogen beside the crop's rows", default=0.0, low=0, high=1e4)
    irrigation: Value = quantity("irrigate", "mm d-1", "irrigation water, before losses", default=0.0, low=0, high=1e4)
