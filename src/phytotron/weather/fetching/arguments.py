"""Checks of the arguments of a request, before anything is sent."""

import math
import os
import re
from collections.abc import Iterable
from datetime import UTC, date, datetime

from phytotron.core.errors import ValueRangeError


def today() -> date:
    """Return the day that it is in UTC."""
    return datetime.now(UTC).date()


def parsed_years(text: str) -> range:
    """Return the years in `2015` or `2001-2020`."""
    match = re.fullmatch(r"\s*(\d{4})(?:\s*-\s*(\d{4}))?\s*", text)
    if not match:
        raise ValueRangeError("the years", text, "a year or a first and a last one, e.g. 2015 or 2001-2020")
    first, last = int(match[1]), int(match[2] or match[1])
    if first > last:
        raise ValueRangeError("the years", text, f"the earlier one first: {last}-{first}")
    return range(first, last + 1)


def checked_years(service: str, years: Iterable[int], begin: int, why: str) -> list[int]:
    """Return years in order, none before the service begins and none in the future."""
    wanted = sorted(set(years))
    if not wanted:
        raise ValueRangeError("the years", years, "at least one, the first before the last: range(2001, 2021)")
    for year in (wanted[0], wanted[-1]):
        if not isinstance(year, int) or isinstance(year, bool):
            raise ValueRangeError("a year", year, "a whole number")
    if wanted[0] < begin:
        raise ValueRangeError(f"the first year asked of {service}", wanted[0], f"{begin} or later: {why}")
    if wanted[-1] > today().year:
        raise ValueRangeError(f"the last year asked of {service}", wanted[-1], f"{today().year} or earlier")
    return wanted


def checked_coordinate(name: str, value: float, limit: float) -> float:
    """Return a latitude or longitude in degrees, rounded to four decimals (about 10 m)."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not (number and math.isfinite(value) and -limit <= value <= limit):
        raise ValueRangeError(f"the {name}", value, f"{-limit:g} to {limit:g} degrees")
    return round(float(value), 4) + 0.0  # no -0.0


def place(latitude: float, longitude: float) -> str:
    """Return a place in a file name: two decimals, more where they are not zero."""
    north = f"{_decimals(abs(latitude))}{'S' if latitude < 0 else 'N'}"
    return f"{north}_{_decimals(abs(longitude))}{'W' if longitude < 0 else 'E'}"


def degrees(value: float) -> str:
    """Return a coordinate in a request."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def checked_gap(hours: float) -> float:
    """Return the longest gap to fill [h]."""
    if isinstance(hours, bool) or not isinstance(hours, int | float) or not 0 <= hours < math.inf:
        raise ValueRangeError("the longest gap to fill", hours, "0 hours or more")
    return hours


def one_of(what: str, value: str, choices: tuple[str, ...]) -> str:
    """Return a value that is one of some choices."""
    if value not in choices:
        raise ValueRangeError(what, value, " or ".join(choices))
    return value


def base_url(given: str | None, variable: str, default: str) -> str:
    """Return the address of a service: as given, as the environment names it, or the official one."""
    return (given or os.environ.get(variable) or default).rstrip("/")


def _decimals(value: float) -> str:
    shown = f"{value:.4f}".rstrip("0")
    whole, _, fraction = shown.partition(".")
    return f"{whole}.{fraction:0<2}"
