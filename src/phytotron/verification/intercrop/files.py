"""Recorded runs of InterCropGym's code: .npz files of two kinds, recognised by their arrays.

interaction table
    `table` (rows, columns) and the names `columns`: factors (par_*), what two crops show (in_obs1_*, in_st1_*, and the
    same of crop 2), and what the code makes of it: changed copies (out_obs1_*, out_st1_*, ...), effects and what they
    are made of.
episode
    `crop1`, `crop2` (names of the crop files), `year`, `actions` (steps,) in units of 20 kg ha-1, `obs` (steps + 1,
    106), `rewards`, `reward1`, `reward2`, `done`, `truncated` (steps,), the states `columns` of both crops by day
    `daily1`, `daily2`, those without fertiliser `base1`, `base2`, and the `weather` by day with its `weather_cols`
    (rain and evaporation in cm).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np

from phytotron.environments.intercrop.observations import Seen
from phytotron.environments.intercrop.task import DOSES
from phytotron.models.intercropping.published import PUBLISHED_CROPS
from phytotron.verification.archives import Arrays, Floats
from phytotron.weather.field_weather import FieldWeather

MILLIMETRES = 10.0  # per centimetre
OBSERVED = 106

CROP_FILES = MappingProxyType({"lintul3_winterwheat": "winter_wheat"} | {name: name for name in PUBLISHED_CROPS})
# Of the inputs of the model in their order: what makes our unit of the recorded one.
WEATHER_SCALES = MappingProxyType(
    {"IRRAD": 1.0, "TMIN": 1.0, "TMAX": 1.0, "RAIN": MILLIMETRES, "ES0": MILLIMETRES, "ET0": MILLIMETRES}
)
FLAGS = ("done", "truncated")
REWARDS = ("rewards", "reward1", "reward2")
DAILY = ("daily1", "daily2", "base1", "base2")


@dataclass(frozen=True, eq=False)
class InteractionTable:
    """What the code makes of two crops, column by column."""

    name: str
    columns: dict[str, Floats]


@dataclass(frozen=True, eq=False)
class Episode:
    """A recorded episode."""

    name: str
    crops: tuple[str, str]
    actions: Floats  # numbers of doses
    weather: FieldWeather  # one season
    observations: Floats  # (steps + 1, 106)
    series: dict[str, Floats]  # (steps,): rewards, and ends as 0 or 1
    daily: dict[str, Floats]  # (days, 18), columns in the order of `Seen`

    @property
    def steps(self) -> int:
        """How many decisions were made."""
        return len(self.actions)


def read_intercrop(path: Path, required: tuple[str, ...] = ()) -> InteractionTable | Episode:
    """The record in a file of either kind; `required` columns must be in a table."""
    arrays = Arrays(path)
    if "table" in arrays:
        return InteractionTable(path.name, arrays.columns("table", "columns", required))
    if "obs" in arrays:
        return _episode(path.name, arrays)
    raise arrays.fail("arrays 'table' and 'obs' are missing", "table (of interactions) or obs (of an episode)")


def _episode(name: str, arrays: Arrays) -> Episode:
    actions = arrays.numbers("actions", 1, f"of shape (steps,): 0 to {len(DOSES) - 1}")
    steps = len(actions)
    if not steps or not np.all(np.isin(actions, np.arange(len(DOSES)))):
        raise arrays.fail("array 'actions' is not a series of doses", f"whole numbers, 0 to {len(DOSES) - 1}")
    observations = arrays.shaped("obs", (steps + 1, OBSERVED))
    series = {key: arrays.shaped(key, (steps,)) for key in REWARDS}
    series |= {key: np.asarray(arrays.get(key, f"{steps} flags"), float) for key in FLAGS}
    wrong = [key for key in FLAGS if series[key].shape != (steps,)]
    if wrong:
        raise arrays.fail(f"array {wrong[0]!r} has shape {series[wrong[0]].shape}", f"shape ({steps},)")
    daily = {key: arrays.table(key, Seen, "columns") for key in DAILY}
    crops = (_crop(arrays, "crop1"), _crop(arrays, "crop2"))
    return Episode(name, crops, actions, _weather(arrays), observations, series, daily)


def _crop(arrays: Arrays, key: str) -> str:
    name = arrays.text(key, "the name of a crop file")
    if name not in CROP_FILES:
        raise arrays.fail(f"array {key!r} is {name!r}", f"one of {', '.join(CROP_FILES)}")
    return CROP_FILES[name]


def _weather(arrays: Arrays) -> FieldWeather:
    columns = arrays.columns("weather", "weather_cols", ("VAP", *WEATHER_SCALES))
    given = {symbol: scale * columns[symbol] for symbol, scale in WEATHER_SCALES.items()}
    mean = 0.5 * (given["TMIN"] + given["TMAX"])
    order = (given["IRRAD"], given["TMIN"], given["TMAX"], mean, given["RAIN"], given["ES0"], given["ET0"])
    year = np.array([int(arrays.number("year", "one year"))])
    inputs, days = np.stack(order, axis=-1), np.array([len(mean)])
    return FieldWeather(inputs[None], year, days, np.zeros(1, int), ("recorded",), columns["VAP"][None])
