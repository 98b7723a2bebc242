"""Reference seasons of LINTUL-3: an .npz file with one row per day, and a .json file of the same name beside it.

The .npz file has `day` (dates, one after the other), `columns` (names) and `data` (days x columns): the states on the
morning of each day, the rates of that day, the weather that was used (wx.*, with rain and evaporation in cm), the
nitrogen that entered the rates of that day (N_applied_g_m2) and the irrigation (irrig_cm_signal).
The .json file has the `variant` ("patched": CropGym's, "unpatched": plain PCSE) and all parameters, by published
symbol, in the groups `crop`, `soil` and `site`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.core.fields import quantities
from phytotron.core.tensor_files import read_json
from phytotron.models.lintul3 import (
    DEFAULT_SET,
    PLAIN_SET,
    Management,
    Parameters,
    Weather,
    check_inputs,
    load_parameters,
)
from phytotron.verification.archives import Arrays, Floats

MILLIMETRES = 10.0  # per centimetre

VARIANTS = MappingProxyType({"patched": DEFAULT_SET, "unpatched": PLAIN_SET})
GROUPS = ("crop", "soil", "site")

# What plain PCSE reads and ignores; and mineralisation, which goes by another symbol there.
ONLY_PATCHED = ("TNSOILI", "FRTRL", "WMTAB")
PLAIN_SYMBOLS = MappingProxyType({"RTMIN": "RNMIN"})

# Of the season, not of the parameter files, or of legumes alone: our defaults hold where nothing is said.
OPTIONAL = ("recovery", "efficiency", "NFIXF")
FROM_THE_ROWS = ("crop_end_date",)

WEATHER_SCALES = MappingProxyType({"RAIN": MILLIMETRES, "ES0": MILLIMETRES, "ET0": MILLIMETRES})


@dataclass(frozen=True, eq=False)
class RecordedSeason:
    """A season as it was recorded, day by day, with all that went into it."""

    name: str
    parameter_set: str
    parameters: Parameters
    weather: Weather
    management: Management
    columns: dict[str, Floats]

    @property
    def days(self) -> int:
        """How many days were recorded."""
        return len(self.weather.irradiation)


def read_season(path: Path, required: tuple[str, ...] = ()) -> RecordedSeason:
    """The season of an .npz file; `required` columns must be in it besides those of weather and management."""
    arrays = Arrays(path)
    weather = {q.name: (f"wx.{q.symbol}", WEATHER_SCALES.get(q.symbol, 1.0)) for q in quantities(Weather)}
    management = {"nitrogen": ("N_applied_g_m2", 1.0), "irrigation": ("irrig_cm_signal", MILLIMETRES)}
    wanted = [column for column, _ in (*weather.values(), *management.values())]
    columns = arrays.columns("data", "columns", (*wanted, *required))
    days = len(columns[wanted[0]])
    check_days(arrays, days)
    name, parameters = read_parameters(path.with_suffix(".json"), days - 1)
    season = RecordedSeason(
        name=path.name,
        parameter_set=name,
        parameters=parameters,
        weather=Weather(**{key: scale * columns[column] for key, (column, scale) in weather.items()}),
        management=Management(**{key: scale * columns[column] for key, (column, scale) in management.items()}),
        columns=columns,
    )
    try:
        check_inputs(season.weather, season.management, season.parameters)
    except PhytotronError as error:
        raise arrays.fail(str(error), "weather and management that can be") from error
    return season


def check_days(arrays: Arrays, rows: int) -> None:
    """Refuse a file whose days are not one after the other, one per row."""
    days = arrays.get("day", "dates, one per row of data")
    if days.shape != (rows,) or days.dtype.kind != "M":
        raise arrays.fail(f"array 'day' has shape {days.shape} and type {days.dtype}", f"{rows} dates")
    gaps = np.flatnonzero(np.diff(days.astype("datetime64[D]")) != np.timedelta64(1, "D"))
    if len(gaps):
        raise arrays.fail(f"array 'day' goes from {days[gaps[0]]} to {days[gaps[0] + 1]}", "one day after the other")


def read_parameters(path: Path, last_day: int) -> tuple[str, Parameters]:
    """Name of the parameter set, and the parameters that a .json file gives."""
    content = _description(path)
    variant = content["variant"]
    if variant not in VARIANTS:
        raise DataFileError(path, f"'variant' is {variant!r}", f"expected {' or '.join(map(repr, VARIANTS))}")
    given: dict[str, Any] = {}
    for group in GROUPS:
        given |= content[group]
    if given.get("IDSL", 0) != 0:
        problem = f"'IDSL' is {given['IDSL']!r}"
        raise DataFileError(
            path, problem, "expected 0: development by temperature alone, the only kind that is modelled"
        )
    overrides, missing = {}, []
    for q in quantities(Parameters):
        symbol = q.symbol
        if symbol in FROM_THE_ROWS or (variant == "unpatched" and symbol in ONLY_PATCHED):
            continue
        key = PLAIN_SYMBOLS.get(symbol, symbol) if variant == "unpatched" else symbol
        if key in given:
            overrides[symbol] = float(given[key]) if isinstance(given[key], bool) else given[key]
        elif symbol not in OPTIONAL:
            missing.append(key)
    if missing:
        raise DataFileError(path, f"lacks {', '.join(missing)}", f"expected these in {', '.join(GROUPS)}")
    try:
        return VARIANTS[variant], load_parameters(VARIANTS[variant], crop_end_date=float(last_day), **overrides)
    except PhytotronError as error:
        raise DataFileError(path, str(error), "expected parameters that the model can run with") from error


def _description(path: Path) -> dict[str, Any]:
    """The variant and the groups of parameters, each of which is there."""
    expected = "expected a JSON object with variant, crop, soil and site, beside the .npz file"
    content = read_json(path, "season", expected)
    if not isinstance(content, dict):
        raise DataFileError(path, f"holds a {type(content).__name__}", expected)
    missing = [key for key in ("variant", *GROUPS) if key not in content]
    if missing:
        raise DataFileError(path, f"lacks {', '.join(missing)}", expected)
    wrong = [key for key in GROUPS if not isinstance(content[key], dict)]
    if wrong or not isinstance(content["variant"], str):
        raise DataFileError(path, f"has no object for {', '.join(wrong) or 'variant'}", expected)
    return content
