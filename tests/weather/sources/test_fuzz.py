"""Damaged files end in a table of finite numbers or in an error that a user can read, never in anything else."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import weather_files as made_up
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phytotron.core.errors import PhytotronError
from phytotron.weather.sources import epw, read_weather, write_weather

QUICK, THOROUGH = 150, 10_000  # damaged files per format
EPW_ROWS = 48  # instead of the hours of a year

HOSTILE = (
    *(
        b"1e999",
        b"-1e999",
        b"nan",
        b"NaN",
        b"inf",
        b"-Infinity",
        b"-",
        b"+",
        b".",
        b"",
        b" ",
        b"null",
        b"true",
        b"None",
    ),
    *(b"-999", b"-99", b"-1", b"9999", b"99999999999999999999", b"1e308", b"-0.0", b"1_000", b"0x10", b"1,5", b"''"),
    *(
        b"20110229",
        b"2011-02-29",
        b"2011-02-29T00:00:00Z",
        b"20119999",
        b"0000-00-00",
        b"9999-12-31",
        b"366",
        b"25",
        b"0",
    ),
    *(
        "١٢".encode(),
        "１".encode(),
        "−5".encode(),
        b"\xff\xfe",
        b"\x00",
        b"\xc3\x28",
        b"\xef\xbb\xbf",
        b'"',
        b"[",
        b"{}",
    ),
    *(b"1" * 400, b"#", b"*", b"%s", b"2012-02-29T24:00:00Z", b"1969-12-31T23:59:60Z", b"-9223372036854775808"),
)


def gzipped(text: str) -> bytes:
    return gzip.compress(text.encode(), mtime=0)


def zipped(text: str, packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", packing) as file:
        file.writestr("uurgeg_240_2001-2010.txt", text)
    return archive.getvalue()


def stored(table: Any, suffix: str, folder: Path) -> bytes:
    path = folder / f"whole{suffix}"
    write_weather(table, path)
    return path.read_bytes()


# format and form -> whole file, arguments of the reader
Making = Callable[[Path], bytes]
FILES: dict[str, tuple[Making, dict[str, Any]]] = {
    "knmi_hourly": (lambda _: made_up.knmi_hourly(days=1).encode(), {}),
    "knmi_script": (lambda _: made_up.knmi_script(days=1).encode(), {"format": "knmi"}),
    "knmi_daily": (lambda _: made_up.knmi_daily(days=20).encode(), {"fill_gaps": 48}),
    "knmi_json": (lambda _: made_up.knmi_json(days=1).encode(), {}),
    "knmi_zip": (lambda _: zipped(made_up.knmi_hourly(days=1)), {}),
    "nasa_power_json": (lambda _: json.dumps(made_up.power_json()).encode(), {}),
    "nasa_power_csv": (lambda _: made_up.power_csv().encode(), {}),
    "nasa_power_csv_by_month": (lambda _: made_up.power_csv(by_month=True).encode(), {"fill_gaps": 24}),
    "open_meteo_hourly": (lambda _: json.dumps(made_up.open_meteo(hours=12)).encode(), {"fill_gaps": 3}),
    "open_meteo_daily": (lambda _: json.dumps(made_up.open_meteo_daily(), ensure_ascii=False).encode(), {}),
    "epw": (lambda _: made_up.epw(rows=EPW_ROWS).encode("latin-1"), {}),
    "cabo": (lambda _: made_up.cabo(days=12, status=True).encode(), {"fill_gaps": 24}),
    "glgym": (lambda _: made_up.glgym(rows=24).encode(), {"site": made_up.SITE, "year": 2008}),
    "csv": (lambda folder: stored(made_up.table(rows=12), ".csv", folder), {}),
    "csv_gz": (lambda folder: stored(made_up.table(rows=12), ".csv.gz", folder), {}),
    "csv_daily": (lambda folder: stored(made_up.table(86400, rows=12), ".csv", folder), {"fill_gaps": 24}),
    "csv_without_header": (lambda _: made_up.shared_hourly(12).encode(), {"site": made_up.SITE}),
    "csv_of_others": (lambda _: made_up.of_others(12).encode(), made_up.OF_OTHERS),
    "csv_lzma_zip": (lambda _: zipped(made_up.shared_hourly(12), zipfile.ZIP_LZMA), {"site": made_up.SITE}),
    "parquet": (lambda folder: stored(made_up.table(rows=12), ".parquet", folder), {}),
}


@st.composite
def damages(draw: st.DrawFn) -> list[tuple[str, int, int, bytes]]:
    """A few damages: what, where, how much, with what."""
    kinds = ("flip", "delete", "cut", "insert", "field", "repeat line", "swap lines", "drop line")
    place = st.integers(0, 2**31 - 1)
    one = st.tuples(st.sampled_from(kinds), place, place, st.sampled_from(HOSTILE))
    return draw(st.lists(one, min_size=1, max_size=4))


def damaged(content: bytes, damage: tuple[str, int, int, bytes]) -> bytes:
    kind, first, second, token = damage
    if not content:
        return token
    at = first % len(content)
    if kind == "flip":
        return content[:at] + bytes([content[at] ^ (1 << second % 8)]) + content[at + 1 :]
    if kind == "delete":
        return content[:at] + content[at + 1 + second % 20 :]
    if kind == "cut":
        return content[:at]
    if kind == "insert":
        return content[:at] + token + content[at:]
    if kind == "field":  # the number, word or date around a place
        inner = b"0123456789.-+:eE_abcdfghijklmnopqrstuvwxyzTZ"
        begin = end = at
        while begin > 0 and content[begin - 1] in inner:
            begin -= 1
        while end < len(content) and content[end] in inner:
            end += 1
        return content[:begin] + token + content[end:]
    lines = content.splitlines(keepends=True)
    one, two = first % len(lines), second % len(lines)
    if kind == "repeat line":
        lines.insert(one, lines[one])
    elif kind == "swap lines":
        lines[one], lines[two] = lines[two], lines[one]
    else:
        del lines[one]
    return b"".join(lines)


def check_damaged_files(name: str, folder: Path, cases: int) -> None:
    make, arguments = FILES[name]
    whole = make(folder)
    path = folder / "damaged"
    path.write_bytes(whole)
    assert np.isfinite(read_weather(path, **arguments)["air_temperature"]).all()

    @settings(
        max_examples=cases,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(damages())
    def reads_or_refuses(changes: list[tuple[str, int, int, bytes]]) -> None:
        content = whole
        for change in changes:
            content = damaged(content, change)
        path.write_bytes(content)
        try:
            table = read_weather(path, **arguments)
        except PhytotronError as error:
            assert str(path) in str(error)
            return
        assert all(np.isfinite(column).all() for column in table.columns.values())

    reads_or_refuses()


@pytest.fixture(autouse=True)
def short_years(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(epw, "ROWS", (EPW_ROWS,))


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_gives_finite_numbers_or_an_error_that_names_it(name: str, tmp_path: Path) -> None:
    check_damaged_files(name, tmp_path, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_ten_thousand_damaged_files_give_finite_numbers_or_an_error(name: str, tmp_path: Path) -> None:
    check_damaged_files(name, tmp_path, THOROUGH)
