"""Common parts of tasks whose weather has a name, and parts for training, validation and testing."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from numbers import Integral
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.weather.splits import PARTS, SPLITS
from phytotron.weather.table import WeatherTable

State = TypeVar("State")
Params = TypeVar("Params")


def in_years(held: NDArray[Any], years: int | Sequence[int] | None) -> NDArray[np.bool_]:
    """Return a mask of the seasons or days, whose years are `held`, that lie in the wanted years; None: all of them."""
    if years is None:
        return np.ones(len(held), bool)
    wanted: Any = [years] if isinstance(years, Integral) else years
    if isinstance(wanted, str) or not len(wanted) or not set(wanted) <= set(held.tolist()):
        raise ValueRangeError("years", years, f"one or more of {', '.join(map(str, np.unique(held)))}")
    return np.isin(held, wanted)


class OnWeather(Environment[State, Params]):
    """A task whose option `weather` may be a name: "SPLIT:PART", a series, "generated:PRESET", the path of a file."""

    plans_ignore: ClassVar[frozenset[str]] = frozenset({"weather", "weather_folder", "years", "observation"})
    narrowing: ClassVar[tuple[str, ...]] = ("years",)  # options that choose among the days of one part of a split
    own_parts: ClassVar[Mapping[str, str]] = {}  # names of the parts of weather that only this task has
    weather: Any

    @property
    def weather_name(self) -> str | None:
        """The option `weather`, where it is a name."""
        return str(self.weather) if isinstance(self.weather, str | Path) else None

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the task itself, or of the split that the weather belongs to."""
        return tuple(self._weather_of_parts)

    @property
    def _weather_of_parts(self) -> Mapping[str, str]:
        """The name of the weather of each part. What trains on generated weather is tested on parts of the default."""
        generated = (self.weather_name or "").startswith("generated:")
        name = str(self._defaults["weather"]) if generated else self.weather_name or ""
        if name in self.own_parts.values():
            return self.own_parts
        split, _, of_split = name.partition(":")  # a series without a part may have the name of a split
        return {part: f"{split}:{part}" for part in SPLITS[split].parts} if split in SPLITS and of_split else {}

    @property
    def _defaults(self) -> dict[str, Any]:
        """The defaults of all options."""
        task: Any = self
        return {each.name: each.default for each in dataclasses.fields(task)}

    def on(self, weather: str) -> OnWeather[State, Params]:
        """Return the same task on a part of its split, or on other weather by name.

        Options that narrow the days of one part, such as `years`, return to their defaults.
        """
        named = self._weather_of_parts
        if self.weather_name is None and not isinstance(self.weather, WeatherTable):
            named = self.own_parts  # the weather is chosen from that of the task itself
        if weather in PARTS and weather not in named:
            known = f"one of {', '.join(named)}" if named else "weather as SPLIT:PART"
            raise PhytotronError(f"the weather of {self.id} has no part {weather!r}; name {known}")
        free = {name: default for name, default in self._defaults.items() if name in self.narrowing}
        task: Any = self
        return dataclasses.replace(task, weather=named.get(weather, weather), **free)
