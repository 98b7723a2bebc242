"""Files of trajectories: CSV, which needs no other package, and Parquet, which needs pyarrow."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from phytotron.core.extras import imported
from phytotron.core.files import whole_file
from phytotron.episodes.trajectories import EPISODE, TIME, Trajectories

DIGITS = 7  # those that a float32 has
ROWS = 4096  # written at once
INDEX_UNITS = {TIME: "UTC"}


def write_csv(trajectories: Trajectories, path: Path) -> None:
    """Write a CSV file: names in the first line, units in the second, then one line per step.

    Numbers have seven significant digits.
    """
    with whole_file(path) as file:
        for text in _csv_texts(trajectories):
            file.write(text.encode())


def _csv_texts(trajectories: Trajectories) -> Iterator[str]:
    index = trajectories.index()
    head = io.StringIO()
    names = [*index, *(each.name for each in trajectories.columns)]
    lines = csv.writer(head, lineterminator="\n")
    lines.writerow(names)
    lines.writerow([*(INDEX_UNITS.get(name, "-") for name in index), *trajectories.units.values()])
    yield head.getvalue()
    texts = {name: _index_texts(name, values) for name, values in index.items()}
    numbers = [trajectories.rows(each.name) for each in trajectories.columns]
    line = ",".join(["%s"] * len(texts) + [f"%.{DIGITS}g"] * len(numbers)) + "\n"
    count = len(next(iter(texts.values())))
    for first in range(0, count, ROWS):
        columns = [each[first : first + ROWS] for each in texts.values()]
        columns += [np.asarray(each[first : first + ROWS], np.float64).tolist() for each in numbers]
        yield "".join([line % row for row in zip(*columns, strict=True)])


def _index_texts(name: str, values: Any) -> list[str]:
    if name == TIME:
        texts = np.datetime_as_string(values, unit="s")
        return ["" if each == "NaT" else f"{each}Z" for each in texts.tolist()]
    if name == EPISODE:
        known = {label: _quoted(label) for label in dict.fromkeys(values.tolist())}
        return [known[label] for label in values.tolist()]
    return [str(each) for each in values.tolist()]


def _quoted(text: str) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="").writerow([text])
    return buffer.getvalue()


def write_parquet(trajectories: Trajectories, path: Path) -> None:
    """Write a Parquet file: one column each, in full precision, with unit, symbol and description as its metadata."""
    arrow = imported("pyarrow", "data", "a Parquet file")
    parquet = imported("pyarrow.parquet", "data", "a Parquet file")
    arrays, fields = [], []
    for name, values in trajectories.index().items():
        kind = arrow.timestamp("s", tz="UTC") if name == TIME else None
        arrays.append(arrow.array(values, type=kind))
        fields.append(arrow.field(name, arrays[-1].type))
    for column in trajectories.columns:
        q = column.quantity
        about = {"unit": q.unit, "symbol": q.symbol, "description": q.description, "group": column.group}
        arrays.append(arrow.array(trajectories.rows(column.name)))
        fields.append(arrow.field(column.name, arrays[-1].type, metadata=about))
    schema = arrow.schema(fields, metadata={"phytotron": json.dumps(dict(trajectories.about))})
    table = arrow.Table.from_arrays(arrays, schema=schema)
    with whole_file(path) as file:
        parquet.write_table(table, file)
