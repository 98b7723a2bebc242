"""The one form that all weather takes: named columns at equal time steps, with site, source and licence."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.weather.calendar import Moment, Times, to_datetime64, utc
from phytotron.weather.site import Provenance, Site
from phytotron.weather.variables import variable

SHORTEST, LONGEST = 300, SECONDS_PER_DAY  # s


class WeatherError(PhytotronError):
    """Weather that cannot be: a gap, an impossible value, a time that is not there."""


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True, eq=False)
class WeatherTable:
    """Columns named as in `variables.VARIABLES`; row i belongs to the interval that begins at start + i * interval.

    A pytree whose leaves are the columns: `jax.device_put(table)` moves it to a device, `jit` and `vmap` take it as an
    argument. Time is UTC. Build it with `weather_table`, which checks what it is given.
    """

    columns: dict[str, Any]
    start: datetime = dataclasses.field(metadata={"static": True})
    interval: int = dataclasses.field(metadata={"static": True})  # s
    site: Site = dataclasses.field(metadata={"static": True})
    provenance: Provenance = dataclasses.field(metadata={"static": True})

    def __getitem__(self, name: str) -> Any:
        if name not in self.columns:
            variable(name)
            held = ", ".join(self.columns)
            raise WeatherError(f"the weather of {self.site.name} has no column {name!r}; it has {held}")
        return self.columns[name]

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    def __repr__(self) -> str:
        return (
            f"WeatherTable({self.site.name}, {self.start:%Y-%m-%d %H:%M} to {self.end:%Y-%m-%d %H:%M} UTC, "
            f"{self.size} rows of {self.interval} s: {', '.join(self.columns)})"
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.columns)

    @property
    def size(self) -> int:
        """Number of rows."""
        return int(next(iter(self.columns.values())).shape[0])

    @property
    def end(self) -> datetime:
        """The moment at which the last row's interval ends."""
        return self.start + timedelta(seconds=self.size * self.interval)

    @property
    def times(self) -> Times:
        """The beginning of every row's interval."""
        return to_datetime64(self.start) + np.arange(self.size) * np.timedelta64(self.interval, "s")

    def row(self, moment: Moment) -> int:
        """Return the row that begins at a moment; the table's end counts as one."""
        seconds = (utc(moment) - self.start).total_seconds()
        row, rest = divmod(seconds, self.interval)
        if rest or not 0 <= row <= self.size:
            span = f"{self.start:%Y-%m-%d %H:%M} to {self.end:%Y-%m-%d %H:%M} UTC in steps of {self.interval} s"
            raise WeatherError(f"{utc(moment):%Y-%m-%d %H:%M} is not in the weather of {self.site.name}: {span}")
        return int(row)

    def window(self, first: Moment, end: Moment) -> WeatherTable:
        """Return the rows from a moment up to, not including, another."""
        rows = slice(self.row(first), self.row(end))
        if rows.start >= rows.stop:
            raise ValueRangeError("the end of a weather window", f"{utc(end)}", f"a moment after {utc(first)}")
        columns = {name: column[rows] for name, column in self.columns.items()}
        return dataclasses.replace(self, columns=columns, start=utc(first))

    def select(self, names: Iterable[str]) -> WeatherTable:
        """Return some columns, in the order asked for."""
        return dataclasses.replace(self, columns={name: self[name] for name in names})

    def with_columns(self, columns: Mapping[str, Any]) -> WeatherTable:
        """Return the table with more columns, or others in place of those of the same name."""
        return weather_table(self.columns | dict(columns), self.start, self.interval, self.site, self.provenance)

    def on_device(self, precision: str = "float32") -> WeatherTable:
        """Return the table with columns that live on JAX's default device."""
        columns = {name: jnp.asarray(np.asarray(column), precision) for name, column in self.columns.items()}
        return dataclasses.replace(self, columns=columns)

    def at(self, row: Any, fraction: Any = 0.0) -> dict[str, Array]:
        """Return the values at `row` plus a fraction of an interval, by linear interpolation; pure JAX, `row` may be
        traced.

        Totals keep the value of their interval. Beyond the last row the last row holds.
        """
        now = jnp.clip(row, 0, self.size - 1)
        after = jnp.minimum(now + 1, self.size - 1)
        values = {}
        for name, held in self.columns.items():
            column = jnp.asarray(held)
            move = 0.0 if variable(name).total else fraction
            values[name] = column[now] + move * (column[after] - column[now])
        return values

    def resampled(self, interval: int) -> WeatherTable:
        """Return the same weather in shorter steps.

        Between the beginnings of the rows values run along straight lines; within the last row its value holds. Totals
        are shared out evenly.
        """
        if interval == self.interval:
            return self
        if interval <= 0 or self.interval % interval:
            raise ValueRangeError("the interval", interval, f"a divisor of the table's {self.interval} s")
        parts = self.interval // interval
        nodes, wanted = np.arange(self.size) * parts, np.arange(self.size * parts)
        columns = {}
        for name, column in self.columns.items():
            if variable(name).total:
                columns[name] = np.repeat(np.asarray(column) / parts, parts)
            else:
                columns[name] = np.interp(wanted, nodes, np.asarray(column))
        return dataclasses.replace(self, columns=columns, interval=interval)

    def averaged(self, interval: int) -> WeatherTable:
        """Return the means over steps of another length, from the first row on; totals are added up.

        Where the new steps are no multiple of the old ones, values are interpolated first, as by `resampled`.
        """
        fine = self.resampled(math.gcd(self.interval, interval))
        each = interval // fine.interval
        count = fine.size // each
        columns = {}
        for name, column in fine.columns.items():
            parts = np.asarray(column, float)[: count * each].reshape(count, each)
            columns[name] = parts.sum(axis=1) if variable(name).total else parts.mean(axis=1)
        return dataclasses.replace(self, columns=columns, interval=interval)


def weather_table(
    columns: Mapping[str, Any], start: Moment, interval: int, site: Site, provenance: Provenance
) -> WeatherTable:
    """Return a table whose every value is known to be possible; errors name the column and the moment."""
    if not columns:
        raise WeatherError(f"the weather of {site.name} has no columns")
    whole = isinstance(interval, int | np.integer) and not isinstance(interval, bool)
    if not (whole and SHORTEST <= interval <= LONGEST and LONGEST % interval == 0):
        expected = f"whole seconds, {SHORTEST} to {LONGEST}, that divide a day"
        raise ValueRangeError("the interval of a weather table", interval, expected)
    checked = {name: np.asarray(column, float) for name, column in columns.items()}
    table = WeatherTable(checked, utc(start), int(interval), site, provenance)
    sizes = {name: column.shape for name, column in checked.items()}
    if len(set(sizes.values())) != 1 or any(len(shape) != 1 or shape[0] < 1 for shape in sizes.values()):
        raise WeatherError(f"the columns of {site.name} differ in length or are empty: {sizes}")
    for name, column in checked.items():
        known = variable(name)
        wrong = ~((column >= known.low) & (column <= known.high))
        if wrong.any():
            row = int(np.argmax(wrong))
            where = f"{name} of {site.name} at {table.times[row]} UTC (row {row + 1})"
            raise ValueRangeError(where, float(column[row]), known.range)
    return table


def joined(tables: Iterable[WeatherTable]) -> WeatherTable:
    """Return tables of one site that follow each other without a gap, as one.

    Columns that not all have are left out.
    """
    parts = sorted(tables, key=lambda table: table.start)
    if not parts:
        raise WeatherError("no weather tables to join")
    for before, after in itertools.pairwise(parts):
        if before.interval != after.interval:
            raise WeatherError(f"{before!r} and {after!r} have different intervals")
        if before.end != after.start:
            what = "overlap" if before.end > after.start else "leave a gap"
            raise WeatherError(f"{before!r} and {after!r} {what}: {before.end:%Y-%m-%d %H:%M} is where the first ends")
    first = parts[0]
    shared = [name for name in first.names if all(name in part for part in parts)]
    if not shared:
        raise WeatherError(f"{first!r} and the tables after it have no column in common")
    columns = {name: np.concatenate([np.asarray(part[name]) for part in parts]) for name in shared}
    notes = tuple(dict.fromkeys(note for part in parts for note in part.provenance.notes))
    left_out = sorted({name for part in parts for name in part.names} - set(shared))
    if left_out:
        notes += (f"not in every part, therefore left out: {', '.join(left_out)}",)
    return dataclasses.replace(first, columns=columns, provenance=dataclasses.replace(first.provenance, notes=notes))
