"""Quantities that can be observed in a field of wheat, in any selection, some of them measured at a price.

The nine crop and three weather quantities of Kallenberg et al. 2023, table 1; every state of the model; all weather of
the day and of the interval; the doses so far; and the form in which CropGym's code gives its 30 numbers. Section 4 of
the paper proposes to let the agent choose between paying for a measurement and doing without.
"""

from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.core.fields import Quantity, record, unstack
from phytotron.environments.field import farming
from phytotron.environments.field.observations import CM, FARMING, DailyWeather
from phytotron.environments.observing import (
    Catalogue,
    JoinedObservers,
    ObservationChoice,
    Observer,
    SelectedQuantities,
    observables,
    observables_of,
)
from phytotron.models.lintul3 import Parameters, State, Weather
from phytotron.models.lintul3.nitrogen import nitrogen_status
from phytotron.models.lintul3.water import Transpiration, transpiration

# What takes a visit to the field or a laboratory; stage, rain and transpiration follow from the weather.
FEATURES = ("total_growth", "leaf_area_index", "nitrogen_uptake", "soil_nitrogen", "grain_mass")
FLAG = Quantity("measured", "measured", "-", "1 where the crop was measured this time", 0.0, 1.0)


@record
class Farming(farming.Farming):
    """The doses and measurements of the season so far."""

    irrigation: Array  # mm, at the last decision
    total_irrigation: Array  # mm
    measured: Array  # 1 where the crop was measured at the end of the last interval


class Situation(NamedTuple):
    """Everything that can be observed on the morning of a decision."""

    state: State
    weather: Array  # (days, 7), of the days of the last interval, this one included
    farming: Farming
    parameters: Parameters
    key: Array  # for what is uncertain

    @property
    def day(self) -> Array:
        """The days since 1 January."""
        return self.state.day

    @property
    def today(self) -> Weather:
        """The weather of the day of the decision."""
        return unstack(Weather, self.weather[..., -1, :])

    @property
    def mean(self) -> Weather:
        """The mean weather over the days of the last interval."""
        # Day by day: XLA cannot put a reduction over a batch into one kernel with the rest of the step.
        rows = [self.weather[..., day, :] for day in range(self.weather.shape[-2])]
        return unstack(Weather, sum(rows[1:], rows[0]) / len(rows))

    @property
    def transpiration(self) -> Transpiration:
        """The transpiration of this day, which the published program has already computed when it asks for a
        decision.
        """
        return transpiration(self.state, self.today, self.parameters)


_OWN = observables(
    ("stage", "DVS", "-", "development stage: 0 emergence, 1 flowering, 2 maturity", 0, 3, lambda s: s.state.stage),
    ("total_growth", "TGROWTH", "g m-2", "dry matter grown so far", -1e5, 1e5, lambda s: s.state.total_growth),
    ("leaf_area_index", "LAI", "m2 m-2", "leaf area per ground area", -10, 100, lambda s: s.state.leaf_area_index),
    ("nitrogen_uptake", "NUPTT", "g{N} m-2", "nitrogen taken up so far", -1e4, 1e4, lambda s: s.state.nitrogen_uptake),
    ("transpiration", "TRAN", "mm d-1", "transpiration of this day", 0, 100, lambda s: s.transpiration.actual),
    ("soil_nitrogen", "TNSOIL", "g{N} m-2", "mineral nitrogen in the soil", -1e4, 1e4, lambda s: s.state.soil_nitrogen),
    ("rain_sum", "TRAIN", "mm", "rain so far", -1e5, 1e5, lambda s: s.state.rain_sum),
    ("transpiration_reduction", "TRANRF", "-", "transpiration per that of a crop with enough water", 0, 1,
     lambda s: s.transpiration.reduction),
    ("grain_mass", "WSO", "g m-2", "storage organs: the grain", -1e5, 1e5, lambda s: s.state.grain_mass),
    ("irradiation_mean", "IRRAD", "J m-2 d-1", "global radiation, mean of the interval", 0, 6e7,
     lambda s: s.mean.irradiation),
    ("minimum_temperature_mean", "TMIN", "°C", "lowest air temperature, mean of the interval", -90, 60,
     lambda s: s.mean.minimum_temperature),
    ("rain_mean", "RAIN", "cm d-1", "precipitation, mean of the interval", 0, 200, lambda s: CM * s.mean.rain),
    ("nitrogen_index", "NNI", "-", "nitrogen in the shoot between residual (0) and critical content (1)", 0, 1,
     lambda s: nitrogen_status(s.state, s.parameters).index),
    ("previous_irrigation", "irrigate", "mm", "irrigation at the last decision", 0, 1e4,
     lambda s: s.farming.irrigation),
    ("total_irrigation", "irrigated", "mm", "irrigation so far, before losses", 0, 1e6,
     lambda s: s.farming.total_irrigation),
)  # fmt: skip

CROP, PAPER = tuple(_OWN)[:9], tuple(_OWN)[:12]

OBSERVABLES = Catalogue(
    {
        **_OWN,
        **FARMING,
        **observables_of(State, "state", lambda s: s.state),
        **observables_of(Weather, "weather", lambda s: s.today),
        **observables_of(Weather, "mean", lambda s: s.mean),
    },
    {"paper": PAPER, "crop": CROP, "farming": tuple(FARMING)},
    by_symbol=True,
)
GROUPS = OBSERVABLES.groups
DAILY = ("irradiation", "minimum_temperature", "rain")


def choose_observer(choice: ObservationChoice, interval: int) -> Observer:
    """Return the observer that an option stands for: the name of a group or an observable, "raw", an observer, or any
    list of these.
    """
    daily = DailyWeather(interval, DAILY)
    raw = JoinedObservers((SelectedQuantities(OBSERVABLES, CROP), daily))
    return OBSERVABLES.choose(choice, {"raw": raw, "daily": daily})


@dataclass(frozen=True)
class Measurement:
    """The measurement of some observed quantities on the crop.

    `optional`: the action says whether they are measured at the end of the interval, at a price that is subtracted from
    the reward; if not, they read 0. The first observation is free. Without this option they are always measured, free
    of charge. `noise`: standard deviation of the error, relative to the value; each measurement has its own.
    """

    price: float = 0.0  # in units of the reward
    noise: float = 0.0
    features: tuple[str, ...] = FEATURES
    optional: bool = True

    def __post_init__(self) -> None:
        for name, value in (("price", self.price), ("noise", self.noise)):
            if not (isinstance(value, Real) and 0.0 <= value < float("inf")):
                raise ValueRangeError(f"the {name} of a measurement", value, "a number of at least 0")
        if isinstance(self.features, str) or not self.features:
            raise ValueRangeError("the features to measure", self.features, "one or more names")


@dataclass(frozen=True, eq=False)
class Measured:
    """An observation in which some quantities are measured; its last component says whether they were."""

    observer: Observer
    measurement: Measurement

    def __post_init__(self) -> None:
        known = [q.name for q in self.observer.quantities]
        for name in self.measurement.features:
            if name not in known:
                raise UnknownNameError("feature to measure", name, known)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """Return the quantities of the observer, and the flag that says whether they were measured."""
        return (*self.observer.quantities, FLAG)

    def observe(self, situation: Situation) -> Array:
        """Return measured values with their errors, 0 where nothing was measured, and the flag."""
        values, flag = self.observer.observe(situation), situation.farming.measured
        # One draw at a time: XLA would share out a large one among threads, which the one kernel of a step cannot.
        keys = iter(jax.random.split(situation.key, len(self.measurement.features)))
        shown = []
        for place, q in enumerate(self.observer.quantities):
            value = values[..., place]
            if q.name in self.measurement.features:
                value = jnp.where(flag > 0.5, self._read(next(keys), value, q), 0.0)
            shown.append(value)
        return jnp.stack([*shown, flag], axis=-1)

    def _read(self, key: Array, value: Array, q: Quantity) -> Array:
        if self.measurement.noise == 0.0:
            return value
        error = self.measurement.noise * jax.random.normal(key, (), value.dtype)
        return jnp.clip(value * (1.0 + error), q.low, q.high)
