"""Weather by name: "SPLIT:PART", an embedded series, or "generated:PRESET"."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from phytotron.core.errors import UnknownNameError
from phytotron.weather.archive import load_part
from phytotron.weather.embedded import EMBEDDED, embedded_weather
from phytotron.weather.generator import PRESETS, WeatherGenerator
from phytotron.weather.splits import PARTS, SPLITS, Windows
from phytotron.weather.table import WeatherTable

# Of "generated:PRESET"; for other years or climates give the table of a `WeatherGenerator`.
GENERATED_SEED, GENERATED_FROM = 0, 2001
GENERATED_YEARS = {"hourly": 10, "daily": 100}


def named_weather(
    name: str, step: Literal["hourly", "daily"], folder: Path | None = None
) -> Sequence[tuple[Windows | None, list[WeatherTable]]]:
    """The tables of a name, each list with the windows that a split has in them; without windows all of it counts.

    `step` is that of the splits that can be named, and of what is generated.
    """
    if name in EMBEDDED:
        return [(None, [embedded_weather(name)])]
    source, _, part = name.partition(":")
    if source == "generated" and part in PRESETS:
        generator = WeatherGenerator(part)
        make = generator.hourly_table if step == "hourly" else generator.daily_table
        return [(None, [make(GENERATED_SEED, GENERATED_FROM, GENERATED_YEARS[step])])]
    daily = step == "daily"
    if source not in SPLITS or part not in PARTS or SPLITS[source].daily != daily:
        known = [f"{each}:{part}" for each in SPLITS for part in PARTS if SPLITS[each].daily == daily]
        raise UnknownNameError("weather", name, [*EMBEDDED, *known, *(f"generated:{preset}" for preset in PRESETS)])
    return load_part(source, part, folder)
