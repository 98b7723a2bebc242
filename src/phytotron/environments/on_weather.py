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
from phytotron.weather.splits import SPLITS

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
        if self.own_parts:
            return tuple(self.own_parts) if self.weather_name in self.own_parts.values() else ()
        return SPLITS[self._split].parts if self._split in SPLITS else ()

    @property
    def _split(self) -> str:
        """The split of the weather. Generated weather is for training; tests are on the split of the default."""
        generated = (self.weather_name or "").startswith("generated:")
        name = getattr(type(self), "weather", "") if generated else self.weather_name or ""
        return str(name).partition(":")[0]

    def on(self, weather: str) -> OnWeather[State, Params]:
        """Return the same task on a part of its split, or on other weather by name.

        Options that narrow the days of one part, such as `years`, return to their defaults.
        """
        name = self.own_parts.get(weather, weather)
        if not self.own_parts and weather in ("train", "validation", "test"):
            if weather not in self.parts:
                known = f"one of {', '.join(self.parts)}" if self.parts else "weather as SPLIT:PART"
                raise PhytotronError(f"the weather of {self.id} has no part {weather!r}; name {known}")
            name = f"{self._split}:{weather}"
        own: Any = self
        free = {each.name: each.default for each in dataclasses.fields(own) if each.name in self.narrowing}
        return dataclasses.replace(own, weather=name, **free)
