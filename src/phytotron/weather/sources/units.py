"""Units of columns: which there are for each variable, how a heading names one, and values converted from it."""

import re
from collections.abc import Mapping

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import UnknownNameError
from phytotron.core.fields import Quantity
from phytotron.weather.sources.numbers import Floats, shown
from phytotron.weather.sources.text import Source
from phytotron.weather.variables import VARIABLES

# What files hold and tables do not: a reader derives variables from it.
RAW = {
    row[0]: Quantity(*row)
    for row in (
        ("oktas", "N", "oktas", "cloud cover; 9 and 10: the sky cannot be seen", 0, 10),
        ("sea_level_pressure", "P", "Pa", "air pressure reduced to sea level", 85000, 110000),
        ("co2_concentration", "co2Out", "mg m-3", "CO2 concentration", 270, 3700),
    )
}

TO_CELSIUS, FROM_KELVIN, FROM_FAHRENHEIT = (1.0, 0.0), (1.0, -273.15), (5.0 / 9.0, -160.0 / 9.0)
KNOT = (1852.0 / 3600.0, 0.0)
# unit of the variable -> unit in a file, in lower case -> factor, offset
# fmt: off
CONVERSIONS: dict[str, dict[str, tuple[float, float]]] = {
    "W m-2": {
        "w/m2": (1.0, 0.0), "kw/m2": (1000.0, 0.0), "kj/m2/h": (1.0 / 3.6, 0.0), "mj/m2/h": (1000.0 / 3.6, 0.0),
        "j/cm2/h": (10.0 / 3.6, 0.0),
    },
    "°C": {
        "°c": TO_CELSIUS, "c": TO_CELSIUS, "degc": TO_CELSIUS, "celsius": TO_CELSIUS,
        "k": FROM_KELVIN, "kelvin": FROM_KELVIN,
        "°f": FROM_FAHRENHEIT, "f": FROM_FAHRENHEIT, "degf": FROM_FAHRENHEIT,
    },
    "%": {"%": (1.0, 0.0), "pct": (1.0, 0.0), "percent": (1.0, 0.0), "fraction": (100.0, 0.0)},
    "-": {"%": (0.01, 0.0), "pct": (0.01, 0.0), "percent": (0.01, 0.0), "fraction": (1.0, 0.0), "tenths": (0.1, 0.0)},
    "Pa": {
        "pa": (1.0, 0.0), "hpa": (100.0, 0.0), "mbar": (100.0, 0.0), "kpa": (1000.0, 0.0), "bar": (1e5, 0.0),
        "mmhg": (133.322, 0.0),
    },
    "m s-1": {
        "m/s": (1.0, 0.0), "km/h": (1.0 / 3.6, 0.0), "mph": (0.44704, 0.0), "mp/h": (0.44704, 0.0),
        "kn": KNOT, "kt": KNOT, "knots": KNOT,
    },
    "mm": {"mm": (1.0, 0.0), "mm/day": (1.0, 0.0), "cm": (10.0, 0.0), "inch": (25.4, 0.0), "in": (25.4, 0.0)},
    "J m-2": {
        "j/m2": (1.0, 0.0), "kj/m2": (1e3, 0.0), "j/cm2": (1e4, 0.0), "wh/m2": (3600.0, 0.0), "mj/m2": (1e6, 0.0),
        "mj/m2/day": (1e6, 0.0), "kw-hr/m2/day": (3.6e6, 0.0), "kwh/m2/day": (3.6e6, 0.0), "kwh/m2": (3.6e6, 0.0),
    },
    "ppm": {"ppm": (1.0, 0.0)},
    "oktas": {"oktas": (1.0, 0.0)},
    "mg m-3": {"mg/m3": (1.0, 0.0)},
}
# fmt: on
# The same, where the length of a row [s] matters: energy of a row from power, power from energy of a row, rain of a row
# from its rate. The factor is multiplied by the length, or divided by it.
TIMES_INTERVAL = {"J m-2": {"w/m2": 1.0, "kw/m2": 1e3}, "mm": {"mm/h": 1.0 / 3600.0}}
PER_INTERVAL = {
    "W m-2": {"j/m2": 1.0, "kj/m2": 1e3, "mj/m2": 1e6, "j/cm2": 1e4, "wh/m2": 3600.0, "kwh/m2": 3.6e6},
}
POWERS = re.compile(r"(cm|m|s|h|d)-([123])")  # m-2 is /m2, s-1 is /s


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
    plain = text.strip().lower().replace("²", "2").replace("³", "3").replace("⁻", "-").replace("¹", "1")
    plain = POWERS.sub(r"/\1\2", re.sub(r"[\s^·_.*]", "", plain)).replace("/s1", "/s").replace("/h1", "/h")
    plain = plain.replace("/d1", "/day").replace("hour", "h").replace("/hr", "/h")
    plain = re.sub(r"(?<=[a-z])per(?=[a-z])", "/", plain)
    compact = {unit.replace("/", ""): unit for unit in units_of(name)}
    return compact.get(plain.replace("/", ""))


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
    if spelled in CONVERSIONS[own]:
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
