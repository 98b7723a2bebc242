"""Units as weather services spell them, and what they are in the unit of a variable."""

from __future__ import annotations

from phytotron.weather.sources.numbers import Floats, shown
from phytotron.weather.sources.text import Source
from phytotron.weather.variables import variable

# unit of the variable -> unit in a file, without blanks, ^, · and ², in lower case -> factor, offset
CONVERSIONS: dict[str, dict[str, tuple[float, float]]] = {
    "W m-2": {"w/m2": (1.0, 0.0)},
    "°C": {
        "°c": (1.0, 0.0),
        "c": (1.0, 0.0),
        "degc": (1.0, 0.0),
        "k": (1.0, -273.15),
        "°f": (5.0 / 9.0, -160.0 / 9.0),
        "f": (5.0 / 9.0, -160.0 / 9.0),
    },
    "%": {"%": (1.0, 0.0)},
    "-": {"%": (0.01, 0.0), "fraction": (1.0, 0.0)},
    "Pa": {"pa": (1.0, 0.0), "hpa": (100.0, 0.0), "kpa": (1000.0, 0.0)},
    "m s-1": {
        "m/s": (1.0, 0.0),
        "km/h": (1.0 / 3.6, 0.0),
        "mph": (0.44704, 0.0),
        "mp/h": (0.44704, 0.0),
        "kn": (1852.0 / 3600.0, 0.0),
    },
    "mm": {"mm": (1.0, 0.0), "mm/day": (1.0, 0.0), "inch": (25.4, 0.0)},
    "J m-2": {
        "mj/m2": (1e6, 0.0),
        "mj/m2/day": (1e6, 0.0),
        "kw-hr/m2/day": (3.6e6, 0.0),
        "kwh/m2/day": (3.6e6, 0.0),
        "kwh/m2": (3.6e6, 0.0),
    },
}


def converted(source: Source, heading: str, name: str, values: Floats, unit: object) -> Floats:
    """Values in the unit of a variable; a unit that is not known for it is refused."""
    known = CONVERSIONS[variable(name).unit]
    spelled = unit.lower().replace("²", "2").translate(str.maketrans("", "", " ^·")) if isinstance(unit, str) else ""
    if spelled not in known:
        raise source.error(
            f"{heading} has the unit {shown(unit)}" if unit else f"{heading} has no unit",
            f"expected one of {', '.join(known)}; fetch the file in one of them",
        )
    factor, offset = known[spelled]
    return values * factor + offset if offset else values * factor
