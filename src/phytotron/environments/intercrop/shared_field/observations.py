"""Quantities that can be observed of a shared field, beyond those of two crops: heights, light, and the common soil."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp

from phytotron.core.fields import Quantity, Value, find, names, quantity, record
from phytotron.environments.field.observations import DailyWeather
from phytotron.environments.intercrop.observations import (
    GrowingCrop,
    catalogue_of,
    named_observers,
    observe_crop,
    of_both,
    of_state,
    photosynthesis,
)
from phytotron.environments.observing import (
    JoinedObservers,
    Observable,
    ObservationChoice,
    Observer,
    SelectedQuantities,
)
from phytotron.models.intercropping.canopy import canopy
from phytotron.models.intercropping.soil import drinks
from phytotron.models.intercropping.stand import FieldState, Ground, Rows
from phytotron.models.intercropping.strips import Land, of_whole_field
from phytotron.models.lintul3 import State, Weather

# None of these is observed before emergence.
OF_THE_PLANT = ("leaf_area_index", "leaf_mass", "stem_mass", "root_mass", "grain_mass")


@record
class FieldObservation(GrowingCrop):
    """The observation of one crop of a shared field."""

    height: Value = quantity("H", "m", "height", low=0, high=10)
    light_share: Value = quantity("f", "-", "share of the light that the crop intercepts", low=0, high=1)
    fixed_nitrogen: Value = of_state("NFIXTT")
    band: Value = quantity("Nband", "g{N} m-2", "fertiliser that only this crop reaches", low=0, high=1e4)


def observe_on_field(
    fields: FieldState, today: Weather, rows: Rows, land: Land | None = None
) -> tuple[FieldObservation, FieldObservation]:
    """Return the observations of both crops on this day.

    Where only a part of the `land` is shared, they are those of the whole field.
    """
    leaves = canopy(fields, rows)
    drunk = drinks(fields, leaves, today, rows).transpiration
    emerged = fields.plants.day >= rows.emergence
    shown = {name: jnp.where(emerged, getattr(fields.plants, name), 0.0) for name in OF_THE_PLANT}
    plants = dataclasses.replace(fields.plants, **shown)
    plain = observe_crop(plants, drunk, photosynthesis(fields.plants, today, rows.plants, leaves.light, drunk))
    every = FieldObservation(
        **{name: getattr(plain, name) for name in names(GrowingCrop)},
        height=jnp.where(emerged, fields.height, 0.0),
        light_share=leaves.light,
        fixed_nitrogen=plants.fixed_nitrogen,
        band=fields.ground.band,
    )
    every = every if land is None else of_whole_field(every, land)
    one, two = (jax.tree.map(lambda leaf, n=n: leaf[..., n], every) for n in (0, 1))
    return one, two


def _of_soil() -> dict[str, Observable]:
    """The one soil, as the state of the first crop has it."""
    held: dict[str, tuple[Quantity, Any]] = {
        "soil.nitrogen": (find(State, "soil_nitrogen"), lambda s: s.observed[0].soil_nitrogen),
        "soil.water_content": (find(State, "water_content"), lambda s: s.observed[0].water_content),
        "soil.depth": (find(Ground, "depth"), lambda s: s.stand.field.ground.depth[..., 0]),
        "soil.rain_sum": (find(State, "rain_sum"), lambda s: s.observed[0].rain_sum),
    }
    return {name: (dataclasses.replace(q, name=name), read) for name, (q, read) in held.items()}


FIELD_OBSERVABLES = catalogue_of(FieldObservation, _of_soil())

OF_CROP = (
    "stage",
    "total_growth",
    "leaf_area_index",
    "height",
    "light_share",
    "nitrogen_uptake",
    "nitrogen_index",
    "transpiration",
    "transpiration_reduction",
    "grain_mass",
    "band",
)
FIELD = (*of_both(OF_CROP), *_of_soil())


def choose_field_observer(choice: ObservationChoice, interval: int) -> Observer:
    """Return the observer that an option stands for: "field", or all that two crops offer."""
    field = JoinedObservers((SelectedQuantities(FIELD_OBSERVABLES, FIELD), DailyWeather(interval, until=1)))
    return FIELD_OBSERVABLES.choose(choice, {"field": field, **named_observers(FIELD_OBSERVABLES, interval)})
