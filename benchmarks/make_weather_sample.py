"""Make the embedded weather sample: Schiphol, 1 March to 30 April 2010, one row per hour.

Usage, from the repository root:

    python benchmarks/make_weather_sample.py [--peer-python PATH]

gl-gym 0.3.2 carries the hourly observations of KNMI station 240 (Schiphol), interpolated to five minutes, and the
apparent sky temperature that its authors computed from temperature and cloud cover. This script takes back the hourly
nodes, makes sure that the rows between them hold nothing more, and writes them with their attribution. It is installed
into `.peers/gl-gym-0.3.2` on first use, or taken from `--peer-python`. Exit code 2: the sample could not be made.
"""

from __future__ import annotations

import argparse
import csv
import sys
from datetime import datetime, timedelta
from pathlib import Path

import peers

YEAR = 2010
FIRST = datetime(YEAR, 3, 1)
LAST = datetime(YEAR, 5, 1)  # included: the node that closes the last hour
ROWS_PER_HOUR = 12
OUTPUT = peers.ROOT / "src/phytotron/weather/data/schiphol_2010_spring.csv"

# column of the sample: column of gl-gym's file
COLUMNS = {
    "global_radiation": "global radiation",
    "air_temperature": "air temperature",
    "relative_humidity": "RH",
    "wind_speed": "wind speed",
    "sky_temperature": "sky temperature",
    "co2": "CO2 concentration",
}
HEADER = """\
# Weather at Amsterdam Airport Schiphol (52.32 N, 4.79 E), 1 March to 30 April 2010, hourly.
# Source: KNMI (Royal Netherlands Meteorological Institute), station 240, hourly observations, open data;
# taken from the PyPI package gl-gym 0.3.2, whose authors computed the sky temperature from temperature and cloud cover.
# Made by benchmarks/make_weather_sample.py. Time is UTC; the value that KNMI gives for an hour stands at its beginning.
# Units: global_radiation W m-2, air_temperature and sky_temperature degrees Celsius, relative_humidity %,
# wind_speed m s-1, co2 ppm.
"""


def source_file(python: Path) -> Path:
    """Where the interpreter's gl-gym keeps the weather of Amsterdam."""
    code = "import importlib.util as u; print(u.find_spec('gl_gym').submodule_search_locations[0])"
    package = peers.run([python, "-Ic", code], "looking for gl-gym", timeout=60.0).strip()
    path = Path(package) / "data" / "weather" / "Amsterdam" / f"{YEAR}.csv"
    if not path.is_file():
        raise peers.PeerError(f"{path} is missing")
    return path


def hourly_nodes(values: list[float], name: str) -> list[float]:
    """Every twelfth value, provided that those between lie on straight lines."""
    nodes = values[::ROWS_PER_HOUR]
    for index, value in enumerate(values):
        hour, row = divmod(index, ROWS_PER_HOUR)
        line = nodes[hour] if row == 0 else nodes[hour] + (nodes[hour + 1] - nodes[hour]) * row / ROWS_PER_HOUR
        if abs(value - line) > 1e-6:
            raise peers.PeerError(f"column {name!r} is not linear between the hours around row {index}")
    return nodes


def make_sample(source: Path, output: Path) -> int:
    """Write the sample; return the number of rows."""
    first, last = (int((day - datetime(YEAR, 1, 1)).total_seconds()) // 300 for day in (FIRST, LAST))
    with source.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))[first : last + 1]
    columns = [hourly_nodes([float(row[name]) for row in rows], name) for name in COLUMNS.values()]
    partial = output.with_name(output.name + ".part")
    with partial.open("w", encoding="utf-8", newline="") as file:
        file.write(HEADER + ",".join(["time", *COLUMNS]) + "\n")
        for hour, values in enumerate(zip(*columns, strict=True)):
            time = f"{FIRST + timedelta(hours=hour):%Y-%m-%dT%H:%M}"
            file.write(",".join([time, *(f"{value:.6g}" for value in values)]) + "\n")
    partial.replace(output)
    return len(columns[0])


def main() -> int:
    """Parse the command line and make the sample."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    peers.add_peer_argument(parser)
    try:
        python = peers.ensure(*peers.GLGYM, parser.parse_args().peer_python)
        rows = make_sample(source_file(python), OUTPUT)
    except peers.PeerError as error:
        print(f"make_weather_sample: {error}", file=sys.stderr)
        return 2
    print(f"wrote {rows} hours to {OUTPUT.relative_to(peers.ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
