"""A TOML file that says how a table of one's own is to be read: its columns, their units, its times and its place."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.core.toml_files import read_toml
from phytotron.weather.site import Site
from phytotron.weather.sources.mapping import Columns, check_columns

KEYS = {"columns": dict, "units": dict, "place": dict, "time_format": str, "utc_offset": (int, float)}
PLACE = {"name": str, "latitude": (int, float), "longitude": (int, float), "elevation": (int, float)}


def read_mapping(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return arguments of `read_weather` from a file: [columns], [units], [place], `time_format`, `utc_offset`."""
    file = Path(path)
    held = read_toml(file, "a mapping of columns", "write tables [columns], [units] and [place] of names and texts")
    _check(file, held, KEYS, "")
    try:
        found: dict[str, Any] = {"columns": with_units(held.get("columns", {}), held.get("units", {}))}
        if "place" in held:
            place = {"name": file.stem} | held["place"]
            _check(file, place, PLACE, "[place] ")
            found["site"] = Site(**place)
    except PhytotronError as error:
        raise DataFileError(file, str(error), "correct the file") from None
    except TypeError:
        raise DataFileError(file, "[place] needs latitude and longitude", "give both, in degrees") from None
    return found | {name: held[name] for name in ("time_format", "utc_offset") if name in held}


def with_units(columns: Mapping[str, str], units: Mapping[str, str]) -> Columns:
    """Return columns with the units that are named beside them.

    A unit alone is that of a column called like the variable.
    """
    joined = {name: (columns.get(name, name), units.get(name)) for name in (*columns, *units)}
    check_columns(joined)
    return joined


def _check(file: Path, held: Mapping[str, Any], keys: Mapping[str, Any], where: str) -> None:
    for key, value in held.items():
        if key not in keys:
            raise DataFileError(file, f"unknown key {where}{key!r}", f"expected {', '.join(keys)}")
        if not isinstance(value, keys[key]) or isinstance(value, bool):
            raise DataFileError(file, f"{where}{key} is {value!r}", "expected another kind of value, see the docs")
        if key in ("columns", "units"):
            for name, text in value.items():
                if not isinstance(text, str):
                    raise DataFileError(file, f"[{key}] {name} is {text!r}", "expected a text")
