"""The names and units of columns: those of weather services, and those of Phytotron's own tables."""

from collections.abc import Iterable

from phytotron.weather.sources.numbers import Floats, shown
from phytotron.weather.sources.text import Source
from phytotron.weather.variables import VARIABLES, variable

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
SUFFIXES = {
    "W m-2": "_w_m2",
    "J m-2": "_j_m2",
    "°C": "_c",
    "%": "_pct",
    "Pa": "_pa",
    "m s-1": "_m_s",
    "ppm": "_ppm",
    "mm": "_mm",
    "-": "",
}
OTHER_UNITS = ("k", "f", "hpa", "kpa", "mbar", "km_h", "kn", "mph", "cm", "inch", "mj_m2", "kj_m2", "j_cm2", "mg_m3")
# Other names -> variable or raw quantity, factor
ALIASES = {
    "glob_rad_w_m2": ("global_radiation", 1.0),
    "air_temp_c": ("air_temperature", 1.0),
    "rel_hum_pct": ("relative_humidity", 1.0),
    "vap_press_pa": ("vapour_pressure", 1.0),
    "wind_m_s": ("wind_speed", 1.0),
    "wind2_m_s": ("wind_speed_2m", 1.0),
    "sky_temp_c": ("sky_temperature", 1.0),
    "soil_temp_1m_c": ("soil_temperature", 1.0),
    "soil_temp_2m_c": ("soil_temperature", 1.0),
    "co2_mg_m3": ("co2_concentration", 1.0),
    "cloud_oktas": ("oktas", 1.0),
    "pressure_hpa": ("air_pressure", 100.0),
    "irrad_j_m2_d": ("irradiation", 1.0),
    "tmin_c": ("minimum_temperature", 1.0),
    "tmax_c": ("maximum_temperature", 1.0),
    "tmean_c": ("air_temperature", 1.0),
    "vap_kpa": ("vapour_pressure", 1000.0),
    "flag": ("filled", 1.0),
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


def heading(name: str) -> str:
    """The column of a variable: its name and unit."""
    return name + SUFFIXES[variable(name).unit]


HEADINGS = {heading(name): (name, 1.0) for name in VARIABLES} | ALIASES


def known_columns(source: Source, headings: Iterable[str]) -> dict[str, tuple[str, float]]:
    """What the columns of a table mean; a variable without its unit, or twice, is refused, other columns are left."""
    known: dict[str, tuple[str, float]] = {}
    for found in headings:
        if found in HEADINGS:
            name = HEADINGS[found][0]
            double = next((other for other, (held, _) in known.items() if held == name), None)
            if double is not None:
                raise source.error(f"the columns {double} and {found} both give {name}", "keep one of them")
            known[found] = HEADINGS[found]
            continue
        meant = next((name for name in VARIABLES if variable(name).unit != "-" and _names_unit(found, name)), None)
        if meant is not None:
            raise source.error(
                f"column {found!r} does not name a unit that is known",
                f"expected {heading(meant)}, in {variable(meant).unit}",
            )
    return known


def _names_unit(found: str, name: str) -> bool:
    """Whether a column is a variable without unit, or in another unit."""
    return found == name or any(found == f"{name}_{unit}" for unit in OTHER_UNITS)
