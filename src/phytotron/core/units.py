"""Units: those that files of weather and logs may use, their conversion, and how units are printed."""

import re
from collections.abc import Iterable, Mapping

SUPERSCRIPT = str.maketrans("-0123456789/", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹ᐟ")
TO_CELSIUS, FROM_KELVIN, FROM_FAHRENHEIT = (1.0, 0.0), (1.0, -273.15), (5.0 / 9.0, -160.0 / 9.0)
KNOT = (1852.0 / 3600.0, 0.0)
# unit of a quantity -> unit in a file, in lower case -> factor, offset
# fmt: off
CONVERSIONS: Mapping[str, Mapping[str, tuple[float, float]]] = {
    "W m-2": {
        "w/m2": (1.0, 0.0), "kw/m2": (1000.0, 0.0), "kj/m2/h": (1.0 / 3.6, 0.0), "mj/m2/h": (1000.0 / 3.6, 0.0),
        "j/cm2/h": (10.0 / 3.6, 0.0),
    },
    "°C": {
        "°c": TO_CELSIUS, "c": TO_CELSIUS, "degc": TO_CELSIUS, "celsius": TO_CELSIUS,
        "k": FROM_KELVIN, "kelvin": FROM_KELVIN,
        "°f": FROM_FAHRENHEIT, "f": FROM_FAHRENHEIT, "degf": FROM_FAHRENHEIT,
    },
    "%": {"%": (1.0, 0.0), "pct": (1.0, 0.0), "percent": (1.0, 0.0), "fraction": (100.0, 0.0), "-": (100.0, 0.0)},
    "-": {
        "%": (0.01, 0.0), "pct": (0.01, 0.0), "percent": (0.01, 0.0), "fraction": (1.0, 0.0), "-": (1.0, 0.0),
        "tenths": (0.1, 0.0),
    },
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
    "µmol m-2 s-1": {
        "µmol/m2/s": (1.0, 0.0), "umol/m2/s": (1.0, 0.0), "mmol/m2/s": (1e3, 0.0), "mol/m2/s": (1e6, 0.0),
    },
    "m-2": {"/m2": (1.0, 0.0)},
    "g": {"g": (1.0, 0.0), "mg": (1e-3, 0.0), "kg": (1e3, 0.0)},
}
# fmt: on
POWERS = re.compile(r"(cm|m|s|h|d)-([123])")  # m-2 is /m2, s-1 is /s


def find_unit(text: str, known: Iterable[str]) -> str | None:
    """Return the known unit that a text names in any of its usual spellings; None where it names none."""
    plain = text.strip().lower().replace("²", "2").replace("³", "3").replace("⁻", "-").replace("¹", "1")
    plain = POWERS.sub(r"/\1\2", re.sub(r"[\s^·_.*]", "", plain)).replace("/s1", "/s").replace("/h1", "/h")
    plain = plain.replace("/d1", "/day").replace("hour", "h").replace("/hr", "/h").replace("μ", "µ")
    plain = re.sub(r"(?<=[a-z])per(?=[a-z])", "/", plain)
    compact = {unit.replace("/", ""): unit for unit in known}
    return compact.get(plain.replace("/", ""))


def typeset(unit: str) -> str:
    """Return a unit as it is printed: "m3 m-2" as m³ m⁻², "K-2/3" as K⁻²ᐟ³, "g{N} m-2" as g N m⁻²; nothing for "-"."""
    if unit == "-":
        return ""
    plain = re.sub(r"\{(\w+)\}", r" \1", unit)
    return re.sub(r"(?<=[A-Za-z€])-?\d+(/\d+)?", lambda found: found.group().translate(SUPERSCRIPT), plain)
