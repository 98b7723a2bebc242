"""The names of columns in Phytotron's own tables, which carry their unit."""

from phytotron.weather.variables import VARIABLES, variable

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


def heading(name: str) -> str:
    """Return the column of a variable: its name and unit."""
    return name + SUFFIXES[variable(name).unit]


HEADINGS = {heading(name): (name, 1.0) for name in VARIABLES} | ALIASES
