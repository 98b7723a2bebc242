"""Rebuild the 5-minute weather of gl-gym from the hourly file of KNMI station 240, and compare column by column.

Usage, from the repository root:

    python benchmarks/check_glgym_weather.py --weather FOLDER [--peer-python PATH]

FOLDER holds `knmi_240_..._hourly_...` files (what `phytotron weather fetch knmi --station 240` brings). gl-gym 0.3.2 is
installed into `.peers/` on first use, or taken from `--peer-python`. Exit code 1: a column differs by more than 0.005.
"""

from __future__ import annotations

import argparse
import sys
from datetime import date
from pathlib import Path

import numpy as np

import peers
from make_embedded_weather import folder_of
from phytotron.core.errors import PhytotronError
from phytotron.weather.archive import load_years
from phytotron.weather.sources import read_weather

YEARS = (2008, 2011, 2012)
COLUMNS = ("global_radiation", "wind_speed", "air_temperature", "sky_temperature", "co2", "relative_humidity")
TOLERANCE = 0.005


def main() -> int:
    """Parse the command line, compare, print the largest differences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weather", type=Path, required=True, metavar="FOLDER")
    peers.add_peer_argument(parser)
    arguments = parser.parse_args()
    worst = 0.0
    try:
        package = folder_of(peers.ensure(*peers.GLGYM, arguments.peer_python), "gl_gym")
        folder = package / "data" / "weather" / "Amsterdam"
        for year in YEARS:
            published = read_weather(folder / f"{year}.csv", end=date(year, 12, 31))
            (hours,) = load_years("knmi_240_hourly", (year,), arguments.weather)
            rebuilt = hours.resampled(published.interval).window(published.start, published.end)
            for name in COLUMNS:
                difference = float(np.abs(rebuilt[name] - published[name]).max())
                worst = max(worst, difference)
                print(f"{year}  {name:<20}{difference:.6f}")
    except (peers.PeerError, PhytotronError) as error:
        print(f"check_glgym_weather: {error}", file=sys.stderr)
        return 2
    return int(worst > TOLERANCE)


if __name__ == "__main__":
    sys.exit(main())
