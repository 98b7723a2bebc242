"""Units of columns: which there are for each variable, how a heading names one, and values converted from it."""

import re
from collections.abc import Mapping

from phytotron.core import units
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import UnknownNameError
from phytotron.core.fields import Quantity
from phytotron.core.units import CONVERSIONS
from phytotron.weather.sources.numbers import Floats, shown
from phytotron.weather.sources.text import Source
from phytotron.weather.variables import VARIABLES

# What files hold and tables do not: a reader derives variables from it.
RAW = {
    row[0]: Quantity(*row)
    for row in (
        ("oktas", "N", "oktas", "cloud cover; 9 and 10: the sky is hidden", 0, 10),
        ("sea_level_pressure", "P", "Pa", "air pressure reduced to sea level", 85000, 110000),
        ("co2_concentration", "co2Out", "mg m-3", "CO2 concentration", 270, 3700),
    )
}

# Beyond those of `core.units`, where the length of a row [s] matters: energy of a row from power, power from energy of
# a row, rain of a row from its rate. The factor is multiplied by the length, or divided by it.
TIMES_INTERVAL = {"J m-2": {"w/m2": 1.0, "kw/m2": 1e3}, "mm": {"mm/h": 1.0 / 3600.0}}
PER_INTERVAL = {
    "W m-2": {"j/m2": 1.0, "kj/m2": 1e3, "mj/m2": 1e6, "j/cm2": 1e4, "wh/m2": 3600.0, "kwh/m2": 3.6e6},
}


def described(name: str) -> Quantity:
    """Return the variable, or the raw quantity, of a name."""
    known: Mapping[str, Quantity] = {**VARIABLES, **RAW}
    if name not in known:
        raise UnknownNameError("weather variable", name, known)
    return known[name]


def units_of(name: str) -> list[str]:
    """Return the units in which a file may hold a variable."""
    own = described(name).unit
    return [*CONVERSIONS[own], *TIMES_INTERVAL.get(own, {}), *PER_INTERVAL.get(own, {})]


def find_unit(name: str, text: str) -> str | None:
    """Return the unit that a text names, spelled in any of the usual ways.

    None where it is not known for the variable.
    """
    return units.find_unit(text, units_of(name))


def is_own_unit(name: str, unit: str) -> bool:
    """Return whether a unit is the one that a variable has, under another name."""
    return CONVERSIONS[described(name).unit].get(unit) == (1.0, 0.0)


def unit_in_heading(source: Source, heading: str, name: str) -> str | None:
    """Return the unit at the end of a heading, in brackets or after a blank or underscore; None where it names none.

    Brackets with something else in them are refused: it may be a unit that is not known.
    """
    bracketed = re.search(r"[\[(]([^\[\]()]+)[\])]\s*$", heading)
    if bracketed:
        found = find_unit(name, bracketed[1])
        if found is None:
            raise source.error(
                f"column {heading!r} does not name a unit that is known for {name}",
                f"name it by --unit {name}=UNIT (unit in columns=): one of {', '.join(units_of(name))}",
            )
        return found
    words = re.split(r"[_\s.]+", heading.strip())
    for count in (3, 2, 1):
        if len(words) > count and (found := find_unit(name, "".join(words[-count:]))):
            return found
    return None


def converted(
    source: Source, heading: str, name: str, values: Floats, unit: object, interval: int | None = None
) -> Floats:
    """Return values in the unit of a variable; a unit that is not known for it is refused.

    `interval`: the length of a row [s], without which units of energy or rain per time are not known.
    """
    own = described(name).unit
    spelled = find_unit(name, unit) if isinstance(unit, str) else None
    if spelled is not None and spelled in CONVERSIONS[own]:
        factor, offset = CONVERSIONS[own][spelled]
        if interval is not None and spelled.endswith("/day"):
            factor *= interval / SECONDS_PER_DAY
        return values * factor + offset if offset else values * factor
    if spelled is None or interval is None:
        known = CONVERSIONS[own] if interval is None else units_of(name)
        raise source.error(
            f"{heading} has the unit {shown(unit)}" if unit else f"{heading} has no unit",
            f"expected one of {', '.join(known)}; fetch the file in one of them",
        )
    if spelled in TIMES_INTERVAL.get(own, {}):
        return values * (TIMES_INTERVAL[own][spelled] * interval)
    return values * (PER_INTERVAL[own][spelled] / interval)
