"""What the task of one shared field adds: how the field is shared, and the sole crops beside it."""

from __future__ import annotations

from dataclasses import dataclass

import jax

from phytotron.core.fields import Value, find, quantity, record
from phytotron.environments.intercrop.types import Crops, States
from phytotron.models.intercropping.stand import NEVER, Sharing, Stand, with_soles
from phytotron.models.intercropping.states import FieldState


def _emergence(number: int, default: float) -> Value:
    return quantity(
        f"EM{number}",
        "d",
        f"days from 1 January to the emergence of crop {number}",
        default=default,
        low=0.0,
        high=NEVER,
    )


def _sown(number: int) -> Value:
    return quantity(
        f"sown{number}", "-", f"density of crop {number} per that of its sole crop", default=0.5, low=0.0, high=10.0
    )


def _of_sharing(name: str) -> Value:
    q = find(Sharing, name)
    return quantity(q.symbol, q.unit, q.description, default=q.default, low=q.low, high=q.high)


@record
class FieldFactors:
    """How the field is shared.

    Winter wheat stands there on 1 January. Faba bean is sown on 31 March, the date that its published parameter set
    (after Grashoff 1992) names, and emerges 100 °C d later: at Wageningen between 8 and 22 April, on 11 April by
    default. Each crop is sown at half the density of a sole crop, the usual replacement series.
    """

    emergence_1: Value = _emergence(1, 0.0)
    emergence_2: Value = _emergence(2, 100.0)
    sown_share_1: Value = _sown(1)
    sown_share_2: Value = _sown(2)
    placement_time: Value = _of_sharing("placement_time")
    fixation_inhibition: Value = _of_sharing("fixation_inhibition")
    strip_width: Value = _of_sharing("strip_width")


@jax.tree_util.register_dataclass
@dataclass(frozen=True, kw_only=True)
class WithSoles:
    """Both crops of the field and, on the same weather, each of them alone: four crops along the last axis."""

    fields: FieldState

    @property
    def crops(self) -> States:
        """Those of the shared field."""
        one, two, *_ = self.fields.crops
        return one, two

    @property
    def soles(self) -> States:
        *_, one, two = self.fields.crops
        return one, two


def stand_of(crops: Crops, factors: FieldFactors, layout: str) -> Stand:
    """Both crops on one field, and each alone on another."""
    pair = Stand(
        crops=crops,
        emergence=(factors.emergence_1, factors.emergence_2),
        sown_share=(factors.sown_share_1, factors.sown_share_2),
        sharing=Sharing(
            placement_time=factors.placement_time,
            fixation_inhibition=factors.fixation_inhibition,
            strip_width=factors.strip_width,
        ),
        layout=layout,
        neighbour=(1, 0),
    )
    return with_soles(pair)
