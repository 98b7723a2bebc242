"""Series of whole episodes as a table: one row per step, one column per quantity, each with its unit.

Columns are those of the index ("seed", where there are several, "episode", "step", "time"), then states, controls and
weather by their names, "action" or "action_NAME", "reward", "measure_NAME" and "cost_NAME". Measures and costs are
those of the step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.data_channels import INDEX, action_channels
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.extras import imported
from phytotron.core.fields import Quantity
from phytotron.core.presentation import GROUPS, Channel

OWN = "data "  # before the names of a collector's channels, as a page may show others by the same name
ORDER = (*GROUPS, "action", "measure", "cost")
SEED, EPISODE, STEP, TIME = INDEX

Numbers = NDArray[Any]


@dataclass(frozen=True)
class Column:
    """A quantity of every step. `group`: "state", "control", "weather", "time", "action", "measure" or "cost"."""

    quantity: Quantity
    group: str

    @property
    def name(self) -> str:
        """The name of its quantity."""
        return self.quantity.name


@dataclass(frozen=True)
class Trajectories:
    """The data of some episodes, step by step. Arrays are (seeds, episodes, steps), and count where `active`.

    `times` (UTC) are those of the recorded states: the start of each step, or its end where the task records that.
    `endings`: why episodes ended before their time, where that is known.
    """

    columns: tuple[Column, ...]
    labels: tuple[str, ...]  # of the episodes
    times: NDArray[np.datetime64]
    active: NDArray[np.bool_]
    values: Mapping[str, Numbers]
    about: Mapping[str, Any] = field(default_factory=dict)
    endings: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Numbers:
        """The values of a column, (seeds, episodes, steps); NaN after the end of an episode."""
        return np.where(self.active, self.values[name], np.nan)

    @property
    def units(self) -> dict[str, str]:
        """The unit of every column."""
        return {each.name: each.quantity.unit for each in self.columns}

    @property
    def seeds(self) -> int:
        """Return the number of controllers or seeds."""
        return int(self.active.shape[0])

    def index(self) -> dict[str, Numbers]:
        """Return the indices of every row: seed, episode and step, by column."""
        seeds, episodes, steps = np.nonzero(self.active)
        found: dict[str, Numbers] = {SEED: seeds} if self.seeds > 1 else {}
        return found | {
            EPISODE: np.asarray(self.labels, object)[episodes],
            STEP: steps,
            TIME: self.times[self.active],
        }

    def rows(self, name: str) -> Numbers:
        """Return the values of a column, one for each row."""
        return self.values[name][self.active]

    def to_frame(self) -> Any:
        """Return a pandas DataFrame; time is in UTC, units are in `frame.attrs["units"]`."""
        pandas = imported("pandas", "data", "a DataFrame")
        columns: dict[str, Any] = self.index()
        columns[TIME] = pandas.to_datetime(columns[TIME].astype("datetime64[ns]"), utc=True)
        frame = pandas.DataFrame(columns | {each.name: self.rows(each.name) for each in self.columns})
        frame.attrs["units"] = self.units
        frame.attrs["description"] = {each.name: each.quantity.description for each in self.columns}
        return frame

    def to_xarray(self) -> Any:
        """Return an xarray Dataset over seed, episode and step, or over time where there is one episode.

        Units are in the attributes of its variables.
        """
        xarray = imported("xarray", "data", "a Dataset")
        axes = (SEED, EPISODE, STEP)
        variables = {
            each.name: (axes, self[each.name], {"units": each.quantity.unit, "long_name": each.quantity.description})
            for each in self.columns
        }
        times = (axes, self.times.astype("datetime64[ns]"), {"description": "UTC"})
        places = {SEED: np.arange(self.seeds), EPISODE: list(self.labels), STEP: np.arange(self.active.shape[-1])}
        found = xarray.Dataset(variables, coords=places | {TIME: times}, attrs=dict(self.about))
        found = found.squeeze(SEED, drop=True) if self.seeds == 1 else found
        if self.active.shape[:2] != (1, 1) or np.isnat(self.times).any():
            return found
        return found.squeeze(EPISODE).isel({STEP: self.active[0, 0]}).swap_dims({STEP: TIME})

    def write_csv(self, path: Path | str) -> None:
        """Write a CSV file, whole or not at all: names in the first line, units in the second."""
        from phytotron.episodes.trajectory_files import write_csv

        write_csv(self, Path(path))

    def write_parquet(self, path: Path | str) -> None:
        """Write a Parquet file, whole or not at all, with units in the metadata of its columns."""
        from phytotron.episodes.trajectory_files import write_parquet

        write_parquet(self, Path(path))


def data_columns(env: Environment[Any, Any], costs: Iterable[str]) -> tuple[Column, ...]:
    """Return all columns of an environment, in the order of their groups; `costs`: the names in `info["costs"]`.

    Two columns of one name are refused, as one of them would be lost.
    """
    found = [Column(each.quantity, each.group) for each in env.data_channels]
    found += [Column(each.quantity, "action") for each in _unnamed_actions(env)]
    found.append(Column(Quantity("reward", "r", "-", "reward of the step"), "measure"))
    for measure in env.measures:
        q = measure.quantity
        found.append(
            Column(Quantity(f"measure_{q.name}", q.symbol, q.unit, f"{q.description}, of the step"), "measure")
        )
    described_costs = env.presentation.costs
    for name in costs:
        words, unit = described_costs.get(name, (f"violation of the constraint on {name}", ""))
        found.append(Column(Quantity(f"cost_{name}", name, unit, words), "cost"))
    for name, count in Counter([*INDEX, *(each.name for each in found)]).items():
        if count > 1:
            raise PhytotronError(f"{count} columns of data of {env.id} have the name {name!r}; rename its channel")
    return tuple(sorted(found, key=lambda each: ORDER.index(each.group)))


def recorded_channels(env: Environment[Any, Any]) -> tuple[Channel, ...]:
    """Return all channels that have a column."""
    return (*env.data_channels, *_unnamed_actions(env))


def _unnamed_actions(env: Environment[Any, Any]) -> Iterator[Channel]:
    """Yield the components of the action that the environment itself has no channel of."""
    known = {each.name for each in env.data_channels}
    return (each for each in action_channels(env) if each.name not in known)


def assembled(
    env: Environment[Any, Any],
    labels: tuple[str, ...],
    active: NDArray[np.bool_],
    series: tuple[Mapping[str, Numbers], Mapping[str, Numbers], Mapping[str, Numbers]],
    endings: Sequence[str] = (),
    **about: Any,
) -> Trajectories:
    """Return the trajectories of channels, measures and costs, each an array (seeds, episodes, steps)."""
    channels, measures, costs = series
    named = dict(channels) | {"reward": measures["return"]}
    named |= {f"measure_{name}": each for name, each in measures.items() if name != "return"}
    named |= {f"cost_{name}": each for name, each in costs.items()}
    columns = data_columns(env, tuple(costs))
    values = {each.name: named[each.name] for each in columns}
    times = np.stack([np.stack(list(_times(env, labels, row))) for row in _days(env, active, channels)])
    attributes = {"environment": env.id, "weather": env.weather_name or "", **about}
    return Trajectories(columns, labels, times, active, values, attributes, tuple(endings))


def _days(env: Environment[Any, Any], active: Numbers, channels: Mapping[str, Numbers]) -> Numbers:
    """Return the days since the origin of time: from a channel of the calendar, or else by counting steps."""
    timeline = env.presentation.timeline
    calendar = next((each.name for each in env.channels if each.group == "time" and each.quantity.unit == "d"), None)
    if timeline is None:
        return np.zeros(active.shape)
    if timeline.calendar and calendar is not None:
        return np.asarray(channels[calendar], np.float64)
    days = timeline.starts(active.shape[-1]) + (0.0 if timeline.at_start else timeline.interval)
    return np.broadcast_to(days, active.shape)


def _times(env: Environment[Any, Any], labels: Sequence[str], days: Numbers) -> Iterator[Numbers]:
    timeline = env.presentation.timeline
    for label, row in zip(labels, days, strict=True):
        yield np.full(row.shape, np.datetime64("NaT", "s")) if timeline is None else timeline.times(label, row)


class Collector:
    """Collects the parts of a recording that has all its `channels`, and possibly others."""

    def __init__(self, env: Environment[Any, Any], labels: tuple[str, ...], **about: Any) -> None:
        data_columns(env, ())  # refuses two columns of one name before anything is recorded
        self.environment, self.labels, self.about = env, labels, about
        self.channels = tuple(
            replace(each, quantity=replace(each.quantity, name=f"{OWN}{each.name}")) for each in recorded_channels(env)
        )
        self._parts: list[Any] = []

    def add(self, part: Any) -> None:
        """Keep a part of a recording."""
        self._parts.append(part)

    def trajectories(self) -> Trajectories:
        """Return all parts as one `Trajectories`."""
        if not self._parts:
            raise PhytotronError("nothing was recorded; run an episode first")

        def joined(group: str) -> dict[str, Numbers]:
            names = getattr(self._parts[0], group)
            return {name: np.concatenate([getattr(p, group)[name] for p in self._parts], axis=-1) for name in names}

        active = np.concatenate([part.active for part in self._parts], axis=-1)
        own = {name: each for name, each in joined("channels").items() if name.startswith(OWN)}
        channels = {name.removeprefix(OWN): each for name, each in own.items()}
        endings = [text for part in self._parts for text in part.endings]
        series = (channels, joined("measures"), joined("costs"))
        return assembled(self.environment, self.labels, active, series, endings, **self.about)
