"""The mapping from columns of a table to variables and units: by their own names, or as the caller says."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from phytotron.core.errors import DataFileError, UnknownNameError, ValueRangeError
from phytotron.weather.sources.text import Source
from phytotron.weather.sources.units import RAW, described, find_unit, unit_in_heading, units_of
from phytotron.weather.sources.vocabulary import HEADINGS, OTHER_UNITS, heading
from phytotron.weather.variables import VARIABLES, variable

Columns = Mapping[str, str | tuple[str, str | None]]  # variable or kind of time -> heading, or heading and unit

TIME_HEADINGS = ("time", "time_utc_start", "time_utc_end", "date", "time_local_start", "time_local_end")
# Names that the greenhouse model has for the same variables
SYNONYMS = {
    "outdoor_temperature": "air_temperature",
    "outdoor_vapour_pressure": "vapour_pressure",
    "outdoor_co2": "co2",
    "deep_soil_temperature": "soil_temperature",
}
SHOWN = 30  # headings in an error
USUAL = ("time", "global_radiation", "air_temperature", "relative_humidity", "wind_speed")
# What headings of others begin with or hold, for the example in an error
LIKELY = {
    "time": r"time|date|datum|zeit|tijd|stamp|when|heure|fecha",
    "global_radiation": r"rad|ghi|glob|solar|sw_?d|shortwave|irr|straling",
    "irradiation": r"rad|ghi|glob|solar|sw_?d|shortwave|irr|straling",
    "minimum_temperature": r"min",
    "maximum_temperature": r"max",
    "air_temperature": r"temp|^t(a|air|out|2m)?([_ (\[]|$)",
    "relative_humidity": r"hum|^rh|vocht",
    "wind_speed": r"wind|^ws|^ff|^u10",
}


class Known(NamedTuple):
    """The meaning of a column: values times the factor, or converted from the unit where there is one."""

    name: str
    factor: float
    unit: str | None = None


class Stamps(NamedTuple):
    """The kind of times that a table has, one of TIME_HEADINGS, and the columns that make them up."""

    kind: str
    headings: tuple[str, ...]


def check_columns(columns: Columns) -> dict[str, tuple[str, str | None]]:
    """Return the heading and unit of each variable, by its own name.

    What is no variable or no unit is refused.
    """
    checked: dict[str, tuple[str, str | None]] = {}
    for asked, column in columns.items():
        name = SYNONYMS.get(asked, asked)
        pair: tuple[str, str | None] = (column, None) if isinstance(column, str) else (column[0], column[1])
        if name in TIME_HEADINGS:
            checked[name] = (pair[0], None)
            continue
        if name not in VARIABLES and name not in RAW:
            raise UnknownNameError("weather variable", asked, [*VARIABLES, *RAW, *TIME_HEADINGS, *SYNONYMS])
        unit = None if pair[1] is None else find_unit(name, pair[1])
        if pair[1] is not None and unit is None:
            raise ValueRangeError(f"the unit of {name}", pair[1], f"one of {', '.join(units_of(name))}")
        if name in checked:
            raise ValueRangeError("a column", asked, f"each variable once; {name} is given already")
        checked[name] = (pair[0], unit)
    return checked


def time_columns(source: Source, headings: Sequence[str], columns: Columns) -> Stamps:
    """Return the columns of times: the one that the caller names, "DATE+TIME" for two, or the first of
    TIME_HEADINGS.
    """
    chosen = check_columns(columns)
    for kind in (each for each in TIME_HEADINGS if each in chosen):
        wanted = chosen[kind][0]
        parts = (wanted,) if wanted in headings else tuple(part.strip() for part in wanted.split("+"))
        for part in parts:
            _check_there(source, headings, kind, part)
        return Stamps(kind, parts)
    found = next((name for name in TIME_HEADINGS if name in headings), None)
    if found is None:
        raise no_times(source, headings)
    return Stamps(found, (found,))


def known_columns(source: Source, headings: Sequence[str], columns: Columns) -> dict[str, Known]:
    """Return the meaning of the columns of a table, by variable.

    What the caller says goes before what the headings say. A variable that is there twice, or without its unit, is
    refused; columns that mean nothing are left.
    """
    known: dict[str, Known] = {}
    for name, (wanted, unit) in check_columns(columns).items():
        if name in TIME_HEADINGS:
            continue
        _check_there(source, headings, name, wanted)
        if wanted in known:
            raise source.error(f"column {wanted!r} is assigned to both {known[wanted].name} and {name}", "name it once")
        own = HEADINGS.get(wanted)
        if unit is None and own is not None and own[0] == name:
            known[wanted] = Known(*own)
        else:
            known[wanted] = Known(name, 1.0, unit or unit_in_heading(source, wanted, name))
    chosen = {each.name for each in known.values()}
    for found in (each for each in headings if each not in known):
        if found in HEADINGS:
            name, factor = HEADINGS[found]
            if name in chosen:
                continue
            double = next((other for other, held in known.items() if held.name == name), None)
            if double is not None:
                raise source.error(f"the columns {double} and {found} both give {name}", "keep one of them")
            known[found] = Known(name, factor)
            continue
        meant = next((name for name in VARIABLES if variable(name).unit != "-" and _names_unit(found, name)), None)
        if meant is not None and meant not in chosen:
            raise source.error(
                f"column {found!r} does not name a unit that is known",
                f"expected {heading(meant)}, in {variable(meant).unit}; or name the unit by --unit {meant}=UNIT "
                f'(columns={{"{meant}": ("{found}", "UNIT")}}): one of {", ".join(units_of(meant))}',
            )
    return known


def no_times(source: Source, headings: Sequence[str]) -> DataFileError:
    """Return the error for a table without a known column of times."""
    return source.error(
        f"the table has no column of times that is known; its columns are {quoted(headings)}",
        f"say which column is which: {example(headings, USUAL, likely_only=True)}; times are 'time' (beginning of a "
        "row, UTC), 'time_utc_end', 'date', or 'time_local_start' with --utc-offset",
    )


def example(headings: Sequence[str], wanted: Sequence[str], likely_only: bool = False) -> str:
    """Return options, and their Python, that say which columns some variables are; likely ones where there are any."""
    pairs: dict[str, str] = {}
    for entry in wanted:
        name = entry.split("|")[0]
        likely = re.compile(LIKELY.get(name, re.escape(name)), re.IGNORECASE)
        free = [each for each in headings if each not in pairs.values()]
        pairs[name] = next((each for each in free if likely.search(each)), "HEADING")
    if likely_only:
        pairs = {name: found for name, found in pairs.items() if found != "HEADING" or name == "time"}
    options = " ".join(f"--column {name}={_shell(found)}" for name, found in pairs.items())
    python = ", ".join(f'"{name}": "{found}"' for name, found in pairs.items())
    return f"{options} (columns={{{python}}})"


def wanted_words(names: Iterable[str]) -> str:
    """Return variables with their units."""
    return ", ".join(" or ".join(f"{each} [{described(each).unit}]" for each in entry.split("|")) for entry in names)


def quoted(headings: Sequence[str]) -> str:
    """Return headings as errors list them."""
    more = len(headings) - SHOWN
    return ", ".join(map(repr, headings[:SHOWN])) + (f" and {more} more" if more > 0 else "")


def _check_there(source: Source, headings: Sequence[str], name: str, wanted: str) -> None:
    if wanted not in headings:
        near = difflib.get_close_matches(wanted, headings, n=1)
        remedy = f"did you mean {near[0]!r}?" if near else "name one of them"
        raise source.error(f"there is no column {wanted!r} for {name}; the columns are {quoted(headings)}", remedy)


def _names_unit(found: str, name: str) -> bool:
    """Return whether a column has the name of a variable, without a unit or with another one."""
    return found == name or any(found == f"{name}_{unit}" for unit in OTHER_UNITS)


def _shell(text: str) -> str:
    return text if re.fullmatch(r"[\w.:/+-]+", text) else f"'{text}'"
