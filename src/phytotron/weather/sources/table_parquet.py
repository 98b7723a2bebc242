"""Phytotron's own tables as Parquet: the columns of the CSV, with what the table says about itself in the schema.

Needs pyarrow, which comes with `phytotron[weather]`.
"""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.weather.sources.mapping import known_columns, time_columns
from phytotron.weather.sources.numbers import HUGE, Floats, Rows, have_zones, read_times
from phytotron.weather.sources.own_table import VERSION, about_table, has_dates, is_local, own_series, read_about
from phytotron.weather.sources.series import MOST_ROWS, Request, Series
from phytotron.weather.sources.text import Source
from phytotron.weather.sources.vocabulary import heading
from phytotron.weather.table import WeatherTable

MAGIC = b"PAR1"
KEY = b"phytotron"
MOST_COLUMNS = 1000


def is_parquet(source: Source) -> bool:
    """Return whether a file is a Parquet file."""
    return source.content.startswith(MAGIC)


def read_parquet(source: Source, request: Request) -> Series:
    """Return the table of a file; a null or NaN is a missing value."""
    pyarrow, parquet = _pyarrow(source.path)
    try:
        buffer = pyarrow.BufferReader(source.content)
        file = parquet.ParquetFile(buffer, page_checksum_verification=True)
        if file.metadata.num_rows > MOST_ROWS or file.metadata.num_columns > MOST_COLUMNS:
            raise source.error(
                f"the table claims {file.metadata.num_rows} rows", f"expected {MOST_ROWS} or fewer; split it by years"
            )
        table = file.read(use_threads=False)
        headings = [str(name) for name in table.column_names]
        if len(set(headings)) != len(headings):
            raise source.error("the table names a column twice", "keep one of them")
        named = time_columns(source, headings, request.columns)
        if len(named.headings) > 1:
            raise source.error("times are in one column of a Parquet table", "name that one")
        known = known_columns(source, headings, request.columns)
        if not table.num_rows:
            raise source.error("the table has no rows", "fetch it again")
        rows = Rows(np.arange(1, table.num_rows + 1), "row")
        values = {name: _numbers(source, pyarrow, name, table.column(name)) for name in known}
        texts = {name: values.get(name) for name in headings}
        times = table.column(named.headings[0])
        if pyarrow.types.is_string(times.type):
            moments = times.to_pylist()
            stamps = read_times(source, named.headings[0], moments, rows, request.time_format)
            zoned = have_zones(moments, request.time_format) if is_local(named.kind) else False
        else:
            stamps = times.cast(pyarrow.timestamp("s")).to_numpy()
            zoned = getattr(times.type, "tz", None) is not None
        about = json.loads((table.schema.metadata or {}).get(KEY, b"{}"))
    except PhytotronError:
        raise
    # What a damaged file makes of pyarrow is not documented.
    except (pyarrow.ArrowException, OSError, ValueError, TypeError, KeyError, MemoryError, RecursionError) as reason:
        problem = str(reason).split("\n")[0][:200]
        raise source.error(f"the file is not a readable Parquet table: {problem}", "fetch it again") from None
    source.refuse(np.isnat(stamps), lambda bad: f"{rows[bad]} has no time", "expected one in every row")
    if not isinstance(about, dict):
        raise source.error("the description in the schema is not an object", "write the table again")
    stamped = (named.kind, stamps, zoned)
    return own_series(source, texts, values, known, stamped, rows, read_about(source, about), request)


def own_parquet(table: WeatherTable, path: Path) -> bytes:
    """Return the bytes of a .parquet file of a table."""
    pyarrow, parquet = _pyarrow(path)
    times = pyarrow.array(table.times.astype("datetime64[s]"), pyarrow.timestamp("s", "UTC"))
    named = {"date": times.cast(pyarrow.date32())} if has_dates(table) else {"time": times}
    columns = {heading(name): np.asarray(column, float) for name, column in table.columns.items()}
    about = json.dumps({"version": VERSION} | about_table(table))
    held = pyarrow.table(named | columns).replace_schema_metadata({KEY: about.encode()})
    stream = io.BytesIO()
    parquet.write_table(held, stream, compression="zstd", write_page_checksum=True)
    return stream.getvalue()


def _numbers(source: Source, pyarrow: Any, name: str, column: Any) -> Floats:
    values = np.asarray(column.cast(pyarrow.float64()).to_numpy(), float)
    source.refuse(
        np.abs(values) > HUGE,
        lambda bad: f"row {bad + 1}, column {name}: {values[bad]} is not a number",
        "expected a finite number",
    )
    return values


def _pyarrow(path: Path) -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise DataFileError(
            path, "Parquet files need pyarrow", "install it with: pip install 'phytotron[weather]'"
        ) from None
    return pyarrow, pyarrow.parquet
