"""What can be observed of two crops: the 18 quantities of each that InterCropGym shows, its weather, every state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

import jax.numpy as jnp
from jax import Array

from phytotron.core.errors import UnknownNameError
from phytotron.core.fields import Quantity, Value, find, quantities, quantity, record, unstack
from phytotron.environments import observing
from phytotron.environments.intercrop.types import Crops, Farming
from phytotron.environments.observing import ObservationChoice, Observer, Several
from phytotron.models.intercropping.neighbours import above_ground_mass
from phytotron.models.lintul3 import Parameters, State, Weather
from phytotron.models.lintul3.nitrogen import nitrogen_status
from phytotron.models.lintul3.states import dry_matter
from phytotron.models.lintul3.transpiration import Transpiration, transpiration

CM = 0.1  # per mm
CROP_NUMBERS = (1, 2)


def of_state(symbol: str) -> Any:
    """A field that is a state of the model, as that describes it."""
    q = find(State, symbol)
    return quantity(q.symbol, q.unit, q.description, low=q.low, high=q.high)


@record
class Seen:
    """What is seen of one crop, in the order of InterCropGym's table II."""

    stage: Value = of_state("DVS")
    total_growth: Value = of_state("TGROWTH")
    leaf_area_index: Value = of_state("LAI")
    nitrogen_uptake: Value = of_state("NUPTT")
    transpiration: Value = quantity("TRAN", "mm d-1", "transpiration of this day", low=0, high=100)
    irrigation_sum: Value = of_state("TIRRIG")
    soil_nitrogen: Value = of_state("TNSOIL")
    rain_sum: Value = of_state("TRAIN")
    transpiration_reduction: Value = quantity("TRANRF", "-", "transpiration per that with enough water", low=0, high=1)
    runoff_sum: Value = of_state("TRUNOF")
    above_ground_mass: Value = dry_matter("TAGBM", "leaves, dead ones included, stems and grain")
    transpiration_sum: Value = of_state("TTRAN")
    water_content: Value = of_state("WC")
    dead_leaf_mass: Value = of_state("WLVD")
    leaf_mass: Value = of_state("WLVG")
    root_mass: Value = of_state("WRT")
    grain_mass: Value = of_state("WSO")
    stem_mass: Value = of_state("WST")


def seen(state: State, leaves: Transpiration) -> Seen:
    """A crop that transpires so on this day."""
    derived = {
        "transpiration": leaves.actual,
        "transpiration_reduction": leaves.reduction,
        "above_ground_mass": above_ground_mass(state),
    }
    return Seen(**{q.name: derived[q.name] if q.name in derived else getattr(state, q.name) for q in quantities(Seen)})


def seen_alone(state: State, today: Weather, plant: Parameters) -> Seen:
    """A crop that has its soil to itself."""
    return seen(state, transpiration(state, today, plant))


class Situation(NamedTuple):
    """All that can be observed on the morning of a decision."""

    stand: Any
    crops: Crops
    seen: tuple[Seen, Seen]
    weather: Array  # (days, 7), of the days of the last interval, which ended yesterday
    vapour_pressure: Array  # (days,), hPa
    farming: Farming
    day: Array
    key: Array  # for what is uncertain


Observables = Mapping[str, tuple[Quantity, Callable[[Situation], Any]]]


def _of(record: type[Any], prefix: str, part: Callable[[Situation], Any]) -> Observables:
    """Every quantity of a record under the name prefix.name."""

    def value(name: str) -> Callable[[Situation], Any]:
        return lambda s: getattr(part(s), name)

    return {f"{prefix}.{q.name}": (replace(q, name=f"{prefix}.{q.name}"), value(q.name)) for q in quantities(record)}


def _of_crop(number: int) -> Observables:
    def index(s: Situation) -> Value:
        return nitrogen_status(s.stand.crops[number - 1], s.crops[number - 1].plant).index

    status = Quantity(
        f"crop_{number}.nitrogen_index", "NNI", "-", "nitrogen between residual (0) and critical content (1)", 0, 1
    )
    return {
        **_of(Seen, f"crop_{number}", lambda s: s.seen[number - 1]),
        status.name: (status, index),
        **_of(State, f"state_{number}", lambda s: s.stand.crops[number - 1]),
    }


_FARMING: Observables = {
    row[0]: (Quantity(*row[:6]), row[6])
    for row in (
        ("previous_dose", "N", "kg ha-1", "nitrogen per crop at the last decision", 0, 1e4, lambda s: s.farming.dose),
        ("total_dose", "Nsum", "kg ha-1", "nitrogen per crop so far", 0, 1e6, lambda s: s.farming.total_dose),
        ("applications", "n", "-", "decisions with a dose so far", 0, 1e3, lambda s: s.farming.applications),
        ("day", "DAY", "d", "days since 1 January", 0, 1e4, lambda s: s.day),
    )
}

OBSERVABLES: Observables = MappingProxyType({**_of_crop(1), **_of_crop(2), **_FARMING})

CROPS_SEEN = tuple(f"crop_{number}.{q.name}" for number in CROP_NUMBERS for q in quantities(Seen))
GROUPS = MappingProxyType(
    {
        "crops": CROPS_SEEN,
        "farming": tuple(_FARMING),
        "states": tuple(name for name in OBSERVABLES if name.startswith("state_")),
    }
)


@dataclass(frozen=True)
class Fields:
    """Some of the observables, in the order given. A task with more of them has a subclass."""

    observables: ClassVar[Observables] = OBSERVABLES

    names: tuple[str, ...]

    def __post_init__(self) -> None:
        for name in self.names:
            if name not in self.observables:
                raise UnknownNameError("observable", name, ["paper", "raw", "weather", *GROUPS, *self.observables])

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        return tuple(self.observables[name][0] for name in self.names)

    def observe(self, situation: Situation) -> Array:
        return jnp.stack([jnp.asarray(self.observables[name][1](situation)) for name in self.names], axis=-1)


# name, symbol, unit, meaning, low, high
_DAILY = (
    ("irradiation", "IRRAD", "J m-2 d-1", "global radiation", 0.0, 6e7),
    ("minimum_temperature", "TMIN", "°C", "lowest air temperature", -90.0, 60.0),
    ("maximum_temperature", "TMAX", "°C", "highest air temperature", -90.0, 60.0),
    ("vapour_pressure", "VAP", "hPa", "vapour pressure", 0.0, 100.0),
    ("rain", "RAIN", "cm d-1", "precipitation", 0.0, 200.0),
)


@dataclass(frozen=True)
class DailyWeather:
    """Five quantities on each of the days of the last interval, the first day first; yesterday is 1 day ago."""

    days: int
    prefix: str = ""

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        return tuple(
            Quantity(f"{self.prefix}{name}[-{ago}]", symbol, unit, f"{meaning}, {ago} days ago", low, high)
            for ago in range(self.days, 0, -1)
            for name, symbol, unit, meaning, low, high in _DAILY
        )

    def observe(self, situation: Situation) -> Array:
        days = unstack(Weather, situation.weather)
        columns = (days.irradiation, days.minimum_temperature, days.maximum_temperature)
        rows = jnp.stack([*columns, situation.vapour_pressure, CM * days.rain], axis=-1)
        return rows.reshape(*rows.shape[:-2], -1)


def choose_observer(choice: ObservationChoice, interval: int, fields: type[Fields] = Fields) -> Observer:
    """What an option stands for: "paper", "raw", "weather", a group, an observable, an observer, a list of these."""

    def named(name: str) -> Observer:
        if name == "weather":
            return DailyWeather(interval)
        if name == "paper":
            return Several((fields(CROPS_SEEN), DailyWeather(interval)))
        if name == "raw":
            half = len(CROPS_SEEN) // 2
            one = (fields(CROPS_SEEN[:half]), DailyWeather(interval, "crop_1."))
            two = (fields(CROPS_SEEN[half:]), DailyWeather(interval, "crop_2."))
            return Several((*one, *two))
        return fields(GROUPS.get(name, (name,)))

    return observing.choose_observer(choice, named)
