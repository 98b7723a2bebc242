"""Quantities that can be observed of two crops: the 18 of each that InterCropGym shows, its weather, and
every state.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import Value, find, names, quantities, quantity, record
from phytotron.environments.field.farming import Farming
from phytotron.environments.field.observations import FARMING, DailyWeather
from phytotron.environments.intercrop.types import Crops
from phytotron.environments.observing import (
    Catalogue,
    JoinedObservers,
    Observable,
    Observer,
    SelectedQuantities,
    observables,
    observables_of,
)
from phytotron.models.intercropping.neighbours import above_ground_mass
from phytotron.models.lintul3 import Parameters, State, Weather
from phytotron.models.lintul3.growth import growth, intercepted_share
from phytotron.models.lintul3.nitrogen import nitrogen_status
from phytotron.models.lintul3.states import dry_matter
from phytotron.models.lintul3.water import Transpiration, transpiration

CROP_NUMBERS = (1, 2)


def of_state(symbol: str) -> Any:
    """Return a field with the description that the model gives to this state."""
    q = find(State, symbol)
    return quantity(q.symbol, q.unit, q.description, low=q.low, high=q.high)


@record
class CropObservation:
    """The observation of one crop, in the order of InterCropGym's table II."""

    stage: Value = of_state("DVS")
    total_growth: Value = of_state("TGROWTH")
    leaf_area_index: Value = of_state("LAI")
    nitrogen_uptake: Value = of_state("NUPTT")
    transpiration: Value = quantity("TRAN", "mm d-1", "transpiration of this day", low=0, high=100)
    irrigation_sum: Value = of_state("TIRRIG")
    soil_nitrogen: Value = of_state("TNSOIL")
    rain_sum: Value = of_state("TRAIN")
    transpiration_reduction: Value = quantity(
        "TRANRF", "-", "ratio of transpiration to that with enough water", low=0, high=1
    )
    runoff_sum: Value = of_state("TRUNOF")
    above_ground_mass: Value = dry_matter("TAGBM", "leaves, dead ones included, stems and grain")
    transpiration_sum: Value = of_state("TTRAN")
    water_content: Value = of_state("WC")
    dead_leaf_mass: Value = of_state("WLVD")
    leaf_mass: Value = of_state("WLVG")
    root_mass: Value = of_state("WRT")
    grain_mass: Value = of_state("WSO")
    stem_mass: Value = of_state("WST")


@record
class GrowingCrop(CropObservation):
    """The observation of one crop, and its photosynthesis of the day."""

    photosynthesis: Value = quantity(
        "RGROWTH", "g m-2 d-1", "dry matter made of the light of this day, respiration subtracted", low=0, high=1e3
    )


def observe_crop(state: State, leaves: Transpiration, photosynthesis: Value) -> GrowingCrop:
    """Return the observation of a crop with this transpiration and photosynthesis of the day."""
    derived = {
        "transpiration": leaves.actual,
        "transpiration_reduction": leaves.reduction,
        "above_ground_mass": above_ground_mass(state),
        "photosynthesis": photosynthesis,
    }
    return GrowingCrop(
        **{q.name: derived[q.name] if q.name in derived else getattr(state, q.name) for q in quantities(GrowingCrop)}
    )


def photosynthesis(state: State, today: Weather, plant: Parameters, light: Value, leaves: Transpiration) -> Value:
    """Return the dry matter that a crop forms from its share of the light of a day [g m-2 d-1]."""
    status = nitrogen_status(state, plant)
    return growth(today, light, leaves.reduction, status.growth_reduction, plant).dry_matter


def observe_sole_crop(state: State, today: Weather, plant: Parameters, grows: Value = True) -> GrowingCrop:
    """Return the observation of a crop with a soil of its own; a crop that does not grow has no photosynthesis."""
    leaves = transpiration(state, today, plant)
    light = jnp.where(grows, intercepted_share(state, plant), 0.0)
    return observe_crop(state, leaves, photosynthesis(state, today, plant, light, leaves))


class Situation(NamedTuple):
    """Everything that can be observed on the morning of a decision."""

    stand: Any
    crops: Crops
    observed: tuple[GrowingCrop, GrowingCrop]
    weather: Array  # (days, 7), of the days of the last interval, which ended yesterday
    vapour_pressure: Array  # (days,), hPa
    farming: Farming
    day: Array
    key: Array  # for what is uncertain


def catalogue_of(observed: type[GrowingCrop], more: dict[str, Observable] | None = None) -> Catalogue:
    """Return all that can be observed of two crops: the fields of `observed` for each, and some `more`."""

    def of_crop(crop: int) -> dict[str, Observable]:
        def nitrogen_index(s: Situation) -> Array:
            return nitrogen_status(s.stand.crops[crop], s.crops[crop].plant).index

        name, meaning = f"crop_{crop + 1}", "nitrogen between residual (0) and critical content (1)"
        return {
            **observables_of(observed, name, lambda s: s.observed[crop]),
            **observables((f"{name}.nitrogen_index", "NNI", "-", meaning, 0, 1, nitrogen_index)),
            **observables_of(State, f"state_{crop + 1}", lambda s: s.stand.crops[crop]),
        }

    every = {**of_crop(0), **of_crop(1), **FARMING, **(more or {})}
    states = tuple(name for name in every if name.startswith("state_"))
    return Catalogue(every, {"crops": CROP_OBSERVATIONS, "farming": tuple(FARMING), "states": states})


def of_both(quantities: Iterable[str]) -> tuple[str, ...]:
    """Return the names of observables of crop 1, then of crop 2."""
    return tuple(f"crop_{number}.{name}" for number in CROP_NUMBERS for name in quantities)


CROP_OBSERVATIONS = of_both(names(CropObservation))
OBSERVABLES = catalogue_of(GrowingCrop)
GROUPS = OBSERVABLES.groups


def named_observers(catalogue: Catalogue, interval: int) -> dict[str, Observer]:
    """Return observers by name that show each day of the last interval, which ended yesterday."""

    def daily(prefix: str = "") -> Observer:
        return DailyWeather(interval, until=1, prefix=prefix)

    half = len(CROP_OBSERVATIONS) // 2
    one = SelectedQuantities(catalogue, CROP_OBSERVATIONS[:half])
    two = SelectedQuantities(catalogue, CROP_OBSERVATIONS[half:])
    return {
        "weather": daily(),
        "paper": JoinedObservers((SelectedQuantities(catalogue, CROP_OBSERVATIONS), daily())),
        "raw": JoinedObservers((one, daily("crop_1."), two, daily("crop_2."))),
    }
