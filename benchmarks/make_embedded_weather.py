"""Make the weather that the package embeds: Schiphol by the hour 2008-2012, Wageningen by the day 1976-1999.

Usage, from the repository root:

    python benchmarks/make_embedded_weather.py [--glgym-python PATH] [--pcse-python PATH]

gl-gym 0.3.2 carries the hourly observations of KNMI station 240 (Schiphol), interpolated to five minutes. This script
takes back the whole numbers that KNMI reported, and makes sure that nothing is lost: rows between the hours must lie on
straight lines, and the sky temperature must follow from temperature and cloud cover. pcse 6.0.13 carries the station
files of Wageningen; days that the station missed are interpolated (at most two in a row, no rain assumed) or, from
September to December 1991, take the mean of the other years, and are marked. The packages are installed into `.peers/`
on first use, or taken from the interpreters named. Exit code 2: the files could not be made.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import peers
from phytotron.weather.radiation import sky_temperature_from_cloud
from phytotron.weather.sources.cabo import read_cabo_files
from phytotron.weather.sources.series import Request

DATA = peers.ROOT / "src/phytotron/weather/data"
GLGYM_YEARS = range(2008, 2013)
ROWS_PER_HOUR = 12
LONGEST_GAP = 2  # days that are interpolated
SCHIPHOL = {
    "site": {"name": "Schiphol", "latitude": 52.318, "longitude": 4.790, "elevation": -3.3},
    "start": f"{GLGYM_YEARS[0]}-01-01",
    "source": "KNMI (Royal Netherlands Meteorological Institute), station 240 Schiphol, hourly observations; "
    "taken from the Python package gl-gym 0.3.2",
    "licence": "KNMI open data (CC BY 4.0); name KNMI as the source",
    "notes": ["the value that KNMI gives for an hour stands at its beginning, as in GreenLight-Gym"],
}
WAGENINGEN = {
    "site": {"name": "Wageningen (Haarweg)", "latitude": 51.97, "longitude": 5.67, "elevation": 7.0},
    "start": "1976-01-01",
    "source": "Wageningen University, meteorological station Haarweg, daily values; CABO weather files in the Python "
    "package pcse 6.0.13",
    "licence": "distributed with pcse (EUPL 1.2); name the station and PCSE as the source",
}

Numbers = NDArray[Any]


def folder_of(python: Path, package: str) -> Path:
    """Where the interpreter keeps a package."""
    code = f"import importlib.util as u; print(u.find_spec({package!r}).submodule_search_locations[0])"
    return Path(peers.run([python, "-Ic", code], f"looking for {package}", timeout=60.0).strip())


def hourly_nodes(values: Numbers, name: str) -> Numbers:
    """Every twelfth value, provided that those between lie on straight lines."""
    nodes = values[::ROWS_PER_HOUR]
    line = np.interp(np.arange(values.size), np.arange(0, values.size, ROWS_PER_HOUR), nodes)
    if np.abs(values - line).max() > 1e-6:
        raise peers.PeerError(f"column {name!r} is not linear between the hours")
    return nodes


def whole(values: Numbers, factor: float, name: str) -> Numbers:
    """The values times a factor, provided that whole numbers come out."""
    numbers = np.rint(values * factor)
    if np.abs(values * factor - numbers).max() > 1e-6:
        raise peers.PeerError(f"{name} is not in steps of {1 / factor:g}")
    return numbers.astype(np.int32 if np.abs(numbers).max() > 32000 else np.int16)


def cloud_oktas(temperature: Numbers, sky: Numbers) -> Numbers:
    """The cloud cover (0 to 9) that the sky temperature was computed from."""
    candidates = np.stack([sky_temperature_from_cloud(temperature, okta / 9.0) for okta in range(10)])
    error = np.abs(candidates - sky)
    if error.min(axis=0).max() > 1e-9:
        raise peers.PeerError("the sky temperature does not follow from temperature and cloud cover")
    return np.asarray(error.argmin(axis=0).astype(np.int16))


def schiphol(package: Path) -> dict[str, Numbers]:
    """The hours of all years that gl-gym carries."""
    years = []
    for year in GLGYM_YEARS:
        path = package / "data" / "weather" / "Amsterdam" / f"{year}.csv"
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        wanted = ("global radiation", "air temperature", "RH", "wind speed", "sky temperature")
        columns = [hourly_nodes(np.array([float(row[name]) for row in rows]), name) for name in wanted]
        if columns[0].size != (date(year + 1, 1, 1) - date(year, 1, 1)).days * 24:
            raise peers.PeerError(f"{path} has {columns[0].size} hours")
        years.append(columns)
    radiation, temperature, humidity, wind, sky = (np.concatenate(each) for each in zip(*years, strict=True))
    return {
        "Q": whole(radiation, 3600.0 / 1e4, "global radiation"),
        "T": whole(temperature, 10.0, "air temperature"),
        "U": whole(humidity, 1.0, "relative humidity"),
        "FH": whole(wind, 10.0, "wind speed"),
        "N": cloud_oktas(temperature, sky),
    }


def wageningen(package: Path) -> tuple[dict[str, Numbers], dict[str, Any]]:
    """The days of all years in pcse's station files, complete, and what is to be said about them."""
    station = read_cabo_files(package / "tests" / "test_data", "NL1", Request())
    days = np.arange("1976-01-01", "2000-01-01", dtype="datetime64[D]")
    rows = np.searchsorted(days, station.times.astype("datetime64[D]"))
    calendar_day = np.array([str(day)[5:] for day in days])
    numbers, filled = {}, np.zeros(days.size, bool)
    for name, factor in (
        ("irradiation", 1e-3),
        ("minimum_temperature", 10.0),
        ("maximum_temperature", 10.0),
        ("vapour_pressure", 1.0),
        ("wind_speed_2m", 10.0),
        ("rain", 10.0),
    ):
        values = np.full(days.size, np.nan)
        values[rows] = station.columns[name].values
        filled |= np.isnan(values)
        numbers[name] = whole(np.round(complete(values, calendar_day, name) * factor), 1.0, name)
    numbers["filled"] = filled.astype(np.int16)
    notes = [
        f"{int(filled.sum())} days that the station missed are filled (column `filled`): up to {LONGEST_GAP} days by "
        "interpolation, longer gaps by the mean of the other years; rain 0",
    ]
    return numbers, {"angstrom": station.site.angstrom, "notes": notes}


def complete(values: Numbers, calendar_day: Numbers, name: str) -> Numbers:
    """Without gaps: short ones interpolated, long ones by the mean of that calendar day; no rain."""
    missing = np.isnan(values)
    if name == "rain":
        return np.where(missing, 0.0, values)
    result = np.interp(np.arange(values.size), np.flatnonzero(~missing), values[~missing])
    edges = np.flatnonzero(np.diff(np.concatenate([[False], missing, [False]]).astype(int)))
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        if end - begin > LONGEST_GAP:
            for row in range(begin, end):
                same = (calendar_day == calendar_day[row]) & ~missing
                result[row] = values[same].mean()
    return np.asarray(result)


def write(path: Path, numbers: dict[str, Numbers], about: dict[str, Any]) -> None:
    partial = path.with_name(path.name + ".part")
    with partial.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, about=np.array(json.dumps(about)), **numbers)
    partial.replace(path)
    rows = next(iter(numbers.values())).size
    print(f"wrote {rows} rows, {path.stat().st_size / 1e3:.0f} kB, to {path.relative_to(peers.ROOT)}")


def main() -> int:
    """Parse the command line and make both files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for peer in ("glgym", "pcse"):
        peers.add_peer_argument(parser, f"--{peer}-python")
    arguments = parser.parse_args()
    try:
        glgym = peers.ensure(*peers.GLGYM, arguments.glgym_python)
        pcse = peers.ensure(*peers.PCSE, arguments.pcse_python)
        write(DATA / "schiphol_hourly_2008_2012.npz", schiphol(folder_of(glgym, "gl_gym")), SCHIPHOL)
        numbers, more = wageningen(folder_of(pcse, "pcse"))
        write(DATA / "wageningen_daily_1976_1999.npz", numbers, WAGENINGEN | more)
    except (peers.PeerError, OSError) as error:
        print(f"make_embedded_weather: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
