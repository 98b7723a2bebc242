"""What can be observed of a field of wheat: named quantities, in any selection.

The nine crop and three weather quantities of Kallenberg et al. 2023, table 1; every state of the model; all weather of
the day and of the interval; what the farmer has done; and the form in which CropGym's code gives its 30 numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

import jax.numpy as jnp
from jax import Array

from phytotron.core.errors import UnknownNameError
from phytotron.core.fields import Quantity, quantities, unstack
from phytotron.environments import observing
from phytotron.environments.observing import ObservationChoice, Observer, Several
from phytotron.environments.wheat.types import Farming
from phytotron.models.lintul3 import Parameters, State, Weather
from phytotron.models.lintul3.nitrogen import nitrogen_status
from phytotron.models.lintul3.transpiration import Transpiration, transpiration

CM = 0.1  # per mm


class Situation(NamedTuple):
    """All that can be observed on the morning of a decision."""

    state: State
    weather: Array  # (days, 7), of the days of the last interval, this one included
    farming: Farming
    parameters: Parameters
    key: Array  # for what is uncertain

    @property
    def today(self) -> Weather:
        return unstack(Weather, self.weather[..., -1, :])

    @property
    def mean(self) -> Weather:
        """Of the days of the last interval."""
        # Day by day: XLA cannot put a reduction over a batch into one kernel with the rest of the step.
        rows = [self.weather[..., day, :] for day in range(self.weather.shape[-2])]
        return unstack(Weather, sum(rows[1:], rows[0]) / len(rows))

    @property
    def transpiration(self) -> Transpiration:
        """Of this day, which the published program has computed when it asks for a decision."""
        return transpiration(self.state, self.today, self.parameters)


# name, symbol, unit, meaning, low, high, value
_OWN: tuple[tuple[Any, ...], ...] = (
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
    ("day", "DAY", "d", "days since 1 January", 0, 1e4, lambda s: s.state.day),
    ("previous_dose", "N", "kg ha-1", "nitrogen applied at the last decision", 0, 1e4, lambda s: s.farming.dose),
    ("total_dose", "Nsum", "kg ha-1", "nitrogen applied so far", 0, 1e6, lambda s: s.farming.total_dose),
    ("applications", "n", "-", "decisions with a dose so far", 0, 1e3, lambda s: s.farming.applications),
    ("previous_irrigation", "irrigate", "mm", "irrigation at the last decision", 0, 1e4,
     lambda s: s.farming.irrigation),
    ("total_irrigation", "irrigated", "mm", "irrigation so far, before losses", 0, 1e6,
     lambda s: s.farming.total_irrigation),
)  # fmt: skip

CROP = tuple(row[0] for row in _OWN[:9])
PAPER = tuple(row[0] for row in _OWN[:12])


def _of(record: type[Any], prefix: str, part: Callable[[Situation], Any]) -> dict[str, tuple[Quantity, Any]]:
    """Every quantity of a record under the name prefix.name."""

    def value(name: str) -> Callable[[Situation], Array]:
        return lambda s: getattr(part(s), name)

    return {f"{prefix}.{q.name}": (replace(q, name=f"{prefix}.{q.name}"), value(q.name)) for q in quantities(record)}


OBSERVABLES: MappingProxyType[str, tuple[Quantity, Callable[[Situation], Array]]] = MappingProxyType(
    {row[0]: (Quantity(*row[:6]), row[6]) for row in _OWN}
    | _of(State, "state", lambda s: s.state)
    | _of(Weather, "weather", lambda s: s.today)
    | _of(Weather, "mean", lambda s: s.mean)
)
# By published symbol, the first that carries it.
SYMBOLS = MappingProxyType({q.symbol: name for name, (q, _) in reversed(list(OBSERVABLES.items()))})

GROUPS = MappingProxyType(
    {
        "paper": PAPER,
        "crop": CROP,
        "farming": ("previous_dose", "total_dose", "applications", "day"),
        "state": tuple(name for name in OBSERVABLES if name.startswith("state.")),
        "weather": tuple(name for name in OBSERVABLES if name.startswith("weather.")),
        "mean": tuple(name for name in OBSERVABLES if name.startswith("mean.")),
    }
)


@dataclass(frozen=True)
class Fields:
    """Some of OBSERVABLES, by name or published symbol, in the order given."""

    names: tuple[str, ...]

    def __post_init__(self) -> None:
        named = tuple(SYMBOLS.get(name, name) for name in self.names)
        for name in named:
            if name not in OBSERVABLES:
                raise UnknownNameError("observable", name, ["raw", *GROUPS, *OBSERVABLES, *SYMBOLS])
        object.__setattr__(self, "names", named)

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        return tuple(OBSERVABLES[name][0] for name in self.names)

    def observe(self, situation: Situation) -> Array:
        return jnp.stack([jnp.asarray(OBSERVABLES[name][1](situation)) for name in self.names], axis=-1)


@dataclass(frozen=True)
class DailyWeather:
    """Radiation [J m-2], lowest temperature [°C] and rain [cm] of each of the last days, the first day first."""

    days: int

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        each = (
            ("irradiation", "IRRAD", "J m-2 d-1", "global radiation", 0.0, 6e7),
            ("minimum_temperature", "TMIN", "°C", "lowest air temperature", -90.0, 60.0),
            ("rain", "RAIN", "cm d-1", "precipitation", 0.0, 200.0),
        )
        ago = range(self.days - 1, -1, -1)
        return tuple(
            Quantity(f"{name}[-{day}]", symbol, unit, f"{meaning}, {day} days ago", low, high)
            for day in ago
            for name, symbol, unit, meaning, low, high in each
        )

    def observe(self, situation: Situation) -> Array:
        held = unstack(Weather, situation.weather)
        rows = jnp.stack([held.irradiation, held.minimum_temperature, CM * held.rain], axis=-1)
        return rows.reshape(*rows.shape[:-2], -1)


def choose_observer(choice: ObservationChoice, interval: int) -> Observer:
    """What an option stands for: the name of a group or an observable, "raw", an observer, or any list of these."""

    def named(name: str) -> Observer:
        if name == "raw":
            return Several((Fields(CROP), DailyWeather(interval)))
        return Fields(GROUPS.get(name, (name,)))

    return observing.choose_observer(choice, named)
