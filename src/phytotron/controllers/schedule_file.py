"""Schedules as CSV files: dated doses, set-points or positions, and the controller that follows one.

    date,nitrogen                      time,boiler,roof_vent
    2010-02-24,60                      2010-03-01T00:00,0.6,
    2010-04-29,40                      2010-03-01T08:00,0.2,0.3

The first column is "time" or "date" (UTC), or "step", which counts from 0. A time may also be a day of every year
(02-24) or a time of every day (08:00). The others are what the task can be scheduled by (`Environment.scheduling`), by
name or symbol, with their unit in brackets if one likes. An empty cell changes nothing.
"""

import calendar
import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.core.controller import Controller, Memory
from phytotron.core.environment import Environment
from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.core.fields import Quantity
from phytotron.core.scheduling import Scheduling

TIMES = ("time", "date", "step")
UNITS = ("UTC", "-")  # with which a line of units begins
DAY = np.timedelta64(1, "D")
FORMS = "a date or time as 2010-03-26 or 2010-03-26T06:00 (UTC), of every year as 03-26, or of every day as 06:00"

Times = NDArray[np.datetime64]


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class Scheduled(Controller):
    """Follows a schedule (steps, quantities), NaN where it sets nothing; after its end, the last row holds."""

    scheduling: Scheduling = field(metadata={"static": True})
    names: tuple[str, ...] = field(metadata={"static": True})
    rows: Any

    def start(self, key: Array) -> Memory:
        """Return the number of the first row."""
        return jnp.zeros((), jnp.int32)

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """Return the action of the row of this step, and the number of the next."""
        row = jnp.asarray(self.rows)[jnp.minimum(memory, len(self.rows) - 1)]
        wanted = {name: row[place] for place, name in enumerate(self.names)}
        return self.scheduling.act(wanted, state, params), memory + 1


class Line(NamedTuple):
    """A line of a file: its number, the time at which it holds, and its values by column, NaN where a cell is empty."""

    number: int
    when: str
    values: NDArray[np.float64]


class ScheduleFile(NamedTuple):
    """A schedule for one episode, and the number of lines of its file that lie outside the episode."""

    controller: Scheduled
    unused: int


def read_schedule(path: Path, env: Environment[Any, Any], label: str) -> ScheduleFile:
    """Return the schedule of a file for the episode with a label; an error where the file does not fit the task."""
    scheduling = env.scheduling
    first, quantities, lines = _read(path, scheduling, env.id)
    rows = np.full((env.episode_steps, len(quantities)), np.nan)
    used = set()
    for step, line in _placed(path, env, label, first, lines):
        used.add(line.number)
        given = ~np.isnan(line.values)
        if scheduling.doses:
            rows[step, given] = np.nan_to_num(rows[step, given]) + line.values[given]
        else:
            rows[step:, given] = line.values[given]
    if not used:
        problem = f"no line of it lies in the episode of {label}"
        raise DataFileError(path, problem, "choose another --start, or give dates of every year, as 03-26")
    for place, q in enumerate(quantities):
        _check_choices(path, q, scheduling, np.unique(rows[~np.isnan(rows[:, place]), place]))
    controller = Scheduled(scheduling, tuple(q.name for q in quantities), rows.astype(env.precision))
    return ScheduleFile(controller, len(lines) - len(used))


def _read(path: Path, scheduling: Scheduling, id: str) -> tuple[str, list[Quantity], list[Line]]:
    """Return the name of the first column, the quantities of the others, and the lines."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise DataFileError(path, f"cannot be read ({error.strerror})", "name a CSV file") from None
    except UnicodeDecodeError:
        raise DataFileError(path, "is not text in UTF-8", "save it as UTF-8") from None
    head = text.partition("\n")[0]
    try:
        table = [
            (number, [cell.strip() for cell in cells])
            for number, cells in enumerate(csv.reader(io.StringIO(text), delimiter=";" if ";" in head else ","), 1)
            if any(cell.strip() for cell in cells) and not cells[0].startswith("#")
        ]
    except csv.Error as error:
        raise DataFileError(path, f"is no CSV file ({error})", "write one line for every date") from None
    if not table or table[0][1][0].lower() not in TIMES or len(table[0][1]) < 2:
        found = repr(table[0][1][0]) if table else "nothing"
        raise DataFileError(path, f"begins with {found}", f"begin its first line with {' or '.join(TIMES)} and a comma")
    names = table[0][1]
    quantities = [_quantity(path, name, scheduling, id) for name in names[1:]]
    for q in quantities:
        if quantities.count(q) > 1:
            raise DataFileError(path, f"has two columns of {q.name}", "leave one of them out")
    rows = [(number, cells) for number, cells in table[1:] if cells[0] not in UNITS]
    lines = [_line(path, number, cells, quantities, scheduling) for number, cells in rows]
    if not lines:
        raise DataFileError(path, "has no line below its names", "add one, with a date and a value")
    return names[0].lower(), quantities, lines


def _quantity(path: Path, heading: str, scheduling: Scheduling, id: str) -> Quantity:
    name, _, rest = heading.partition("[")
    known = {q.symbol: q for q in scheduling.quantities} | {q.name: q for q in scheduling.quantities}
    if name.strip() not in known:
        listed = ", ".join(f"{q.name} [{q.unit}]" for q in scheduling.quantities)
        raise DataFileError(
            path, f"the column {name.strip()!r} is nothing that {id} is scheduled by", f"known: {listed}"
        )
    q = known[name.strip()]
    unit = rest.rstrip("] ").strip()
    if unit and unit != q.unit:
        raise DataFileError(path, f"the column {q.name} is in {unit!r}", f"convert it to {q.unit!r}")
    return q


def _line(
    path: Path, number: int, cells: Sequence[str], quantities: Sequence[Quantity], scheduling: Scheduling
) -> Line:
    if len(cells) != 1 + len(quantities):
        problem = f"line {number} has {len(cells)} cells for {1 + len(quantities)} columns"
        raise DataFileError(path, problem, "give one for each, empty where nothing changes")
    values = np.full(len(quantities), np.nan)
    for place, (cell, q) in enumerate(zip(cells[1:], quantities, strict=True)):
        if not cell:
            continue
        try:
            value = float(cell)
        except ValueError:
            value = math.nan
        high = math.inf if q.name in scheduling.choices else q.high  # what is not on offer is refused with a remedy
        if not q.low <= value <= high or not math.isfinite(value):
            raise DataFileError(path, f"line {number}: {q.name} is {cell!r}", f"expected {_expected(q)}")
        values[place] = value
    return Line(number, cells[0], values)


def _expected(q: Quantity) -> str:
    return q.range if math.isfinite(q.low) else "a number"


def _check_choices(path: Path, q: Quantity, scheduling: Scheduling, wanted: NDArray[np.float64]) -> None:
    """Refuse amounts that the task does not offer, rather than taking the nearest."""
    offered = scheduling.choices.get(q.name)
    missing = [] if offered is None else [each for each in wanted.tolist() if each not in offered]
    if offered is None or not missing:
        return
    option = scheduling.offered_by.get(q.name)
    listed = ", ".join(f"{each:g}" for each in offered)
    remedy = f"choose one of {listed}"
    if option:
        others = ", ".join(f"{each:g}" for each in sorted({*offered, *missing}))
        remedy = f"the task offers {listed}; offer more by --option '{option}=[{others}]'"
    at_once = " at one decision" if scheduling.doses else ""
    amount = f"{missing[0]:g} {q.unit}".removesuffix(" -")
    raise DataFileError(path, f"{q.name} of {amount}{at_once} cannot be had", remedy)


def _placed(
    path: Path, env: Environment[Any, Any], label: str, first: str, lines: Sequence[Line]
) -> Iterator[tuple[int, Line]]:
    """Yield the lines of the episode in the order of time, each with the number of the step from which it applies."""
    if first == "step":
        for line in lines:
            if not re.fullmatch(r"\d{1,18}", line.when):
                raise DataFileError(path, f"line {line.number}: the step is {line.when!r}", "count steps from 0")
        ordered = sorted(lines, key=lambda line: int(line.when))
        yield from ((int(each.when), each) for each in ordered if int(each.when) < env.episode_steps)
        return
    timeline = env.presentation.timeline
    if timeline is None:
        problem = f"the steps of {env.id} have no dates, as it has no `presentation.timeline`"
        remedy = "name the first column step, or give the task Presentation(timeline=Timeline(...))"
        raise DataFileError(path, problem, remedy)
    if timeline.origin(label) is None:
        problem = f"the steps of {env.id} from {label} have no dates, as that label has none"
        raise DataFileError(path, problem, "name the first column step")
    steps = timeline.times(label, timeline.starts(env.episode_steps + 1))
    doses = env.scheduling.doses
    before = 0 if doses else 1  # what began a day or a year before the episode still holds
    dated = [(each, line) for line in lines for each in _times(path, line, steps, before)]
    for time, line in sorted(dated, key=lambda pair: pair[0]):
        if doses and time < steps[0] and time.astype("datetime64[Y]") == steps[0].astype("datetime64[Y]"):
            day = steps[0].astype("datetime64[D]")
            raise DataFileError(
                path, f"line {line.number}: {line.when} is before the first decision", f"it is on {day}"
            )
        place = int(np.searchsorted(steps, time, side="right")) - 1 if doses else int(np.searchsorted(steps, time))
        if 0 <= place < env.episode_steps:
            yield place, line


def _times(path: Path, line: Line, steps: Times, before: int) -> Iterator[np.datetime64]:
    """Yield the times of a line: one, or one in every year or on every day of an episode and of some before it."""
    text = line.when.removesuffix("Z").replace(" ", "T")
    try:
        if re.fullmatch(r"\d{2}:\d{2}(:\d{2})?", text):
            first, last = (each.astype("datetime64[D]") for each in (steps[0], steps[-1]))
            yield from (np.datetime64(f"{day}T{text}", "s") for day in np.arange(first - before * DAY, last + DAY))
        elif re.fullmatch(r"\d{2}-\d{2}", text):
            np.datetime64(f"2000-{text}")  # a leap year, in which every date exists that exists in any
            first, last = (int(str(each.astype("datetime64[Y]"))) for each in (steps[0], steps[-1]))
            years = [year for year in range(first - before, last + 1) if text != "02-29" or calendar.isleap(year)]
            yield from (np.datetime64(f"{year}-{text}", "s") for year in years)
        elif re.fullmatch(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?)?", text):
            yield np.datetime64(text, "s")
        else:
            raise PhytotronError(text)
    except ValueError:  # PhytotronError is one, and what numpy says of the 30th of February
        raise DataFileError(path, f"line {line.number}: {line.when!r} is no time", f"expected {FORMS}") from None
