"""Whole weather files of every format, and how they are read."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fuzz_mutations as of
import weather_files as made_up

from phytotron.weather.sources import write_weather

EPW_ROWS = 48  # instead of the hours of a year


def stored(table: Any, suffix: str, folder: Path) -> bytes:
    path = folder / f"whole{suffix}"
    write_weather(table, path)
    return path.read_bytes()


def zipped(text: str, packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    return of.zipped({"uurgeg_240_2001-2010.txt": text.encode()}, packing)


# format and form -> whole file, arguments of the reader, how it is damaged
Making = Callable[[Path], bytes]
FILES: dict[str, tuple[Making, dict[str, Any], of.Mutation]] = {
    "knmi_hourly": (lambda _: made_up.knmi_hourly(days=1).encode(), {}, of.of_bytes),
    "knmi_script": (lambda _: made_up.knmi_script(days=1).encode(), {"format": "knmi"}, of.of_bytes),
    "knmi_daily": (lambda _: made_up.knmi_daily(days=20).encode(), {"fill_gaps": 48}, of.of_bytes),
    "knmi_json": (lambda _: made_up.knmi_json(days=1).encode(), {}, of.of_json),
    "knmi_zip": (lambda _: zipped(made_up.knmi_hourly(days=1)), {}, of.of_zip),
    "nasa_power_json": (lambda _: json.dumps(made_up.power_json()).encode(), {}, of.of_json),
    "nasa_power_csv": (lambda _: made_up.power_csv().encode(), {}, of.of_bytes),
    "nasa_power_csv_by_month": (lambda _: made_up.power_csv(by_month=True).encode(), {"fill_gaps": 24}, of.of_bytes),
    "open_meteo_hourly": (lambda _: json.dumps(made_up.open_meteo(hours=12)).encode(), {"fill_gaps": 3}, of.of_json),
    "open_meteo_daily": (lambda _: json.dumps(made_up.open_meteo_daily(), ensure_ascii=False).encode(), {}, of.of_json),
    "epw": (lambda _: made_up.epw(rows=EPW_ROWS).encode("latin-1"), {}, of.of_bytes),
    "cabo": (lambda _: made_up.cabo(days=12, status=True).encode(), {"fill_gaps": 24}, of.of_bytes),
    "glgym": (lambda _: made_up.glgym(rows=24).encode(), {"site": made_up.SITE, "year": 2008}, of.of_bytes),
    "csv": (lambda folder: stored(made_up.table(rows=12), ".csv", folder), {}, of.of_bytes),
    "csv_gz": (lambda folder: stored(made_up.table(rows=12), ".csv.gz", folder), {}, of.of_gzip),
    "csv_daily": (lambda folder: stored(made_up.table(86400, rows=12), ".csv", folder), {"fill_gaps": 24}, of.of_bytes),
    "csv_without_header": (lambda _: made_up.shared_hourly(12).encode(), {"site": made_up.SITE}, of.of_bytes),
    "csv_of_others": (lambda _: made_up.of_others(12).encode(), made_up.OF_OTHERS, of.of_bytes),
    "csv_of_others_gz": (lambda _: gzip.compress(made_up.of_others(12).encode()), made_up.OF_OTHERS, of.of_gzip),
    "csv_lzma_zip": (
        lambda _: zipped(made_up.shared_hourly(12), zipfile.ZIP_LZMA), {"site": made_up.SITE}, of.of_zip
    ),
    "parquet": (lambda folder: stored(made_up.table(rows=12), ".parquet", folder), {}, of.of_bytes),
}  # fmt: skip
