"""Columns that greenhouses and fields need of a weather table, so that an import can name those that are missing."""

from phytotron.core.constants import SECONDS_PER_DAY, SECONDS_PER_HOUR
from phytotron.weather.daily import EVAPORATING, FEWEST_ROWS
from phytotron.weather.table import WeatherError, WeatherTable

LONGEST_GREENHOUSE_INTERVAL = SECONDS_PER_HOUR  # s
GREENHOUSE = (
    "global_radiation",
    "air_temperature",
    "wind_speed",
    "relative_humidity|vapour_pressure",
    "sky_temperature|cloud_cover",
)
EVAPORATION = ("bare_soil_evaporation", "reference_evapotranspiration")
ESTIMATES = "--sky humidity (from humidity and radiation), --sky cloud or --sky pyrgeometer"


def lacking_for_greenhouse(table: WeatherTable) -> list[str]:
    """Return columns that a greenhouse would miss, where a|b is one of two, or a note on steps that are too long."""
    if table.interval > LONGEST_GREENHOUSE_INTERVAL:
        return ["steps of an hour or less"]
    return _lacking(table, GREENHOUSE)


def lacking_for_field(table: WeatherTable) -> list[str]:
    """Return the columns that a field would miss. Days are made of shorter steps, evaporation is computed where it is
    not there.
    """
    if table.interval == SECONDS_PER_DAY:
        needed = ("irradiation", "minimum_temperature", "maximum_temperature", "air_temperature", "rain")
        return _lacking(table, needed + (() if all(name in table for name in EVAPORATION) else EVAPORATING))
    if SECONDS_PER_DAY // table.interval < FEWEST_ROWS:
        return [f"{FEWEST_ROWS} rows a day or more"]
    return _lacking(
        table, ("global_radiation", "air_temperature", "rain", "relative_humidity|vapour_pressure", "wind_speed")
    )


def check_needs(table: WeatherTable, sky: bool = True) -> None:
    """Refuse a table that no environment could use.

    Days are for fields. Shorter steps are for greenhouses; without `sky`, that is for fields too, which need no sky.
    """
    daily = table.interval > LONGEST_GREENHOUSE_INTERVAL
    lacking = lacking_for_field(table) if daily else lacking_for_greenhouse(table)
    if not sky and not daily:
        lacking = [each for each in lacking if not each.startswith("sky_temperature")]
    if not lacking:
        return
    words = ", ".join(each.replace("|", " or ") for each in lacking)
    text = f"the weather of {table.site.name} lacks {words}, which a {'field' if daily else 'greenhouse'} needs"
    if any(each.startswith("sky_temperature") for each in lacking):
        text += f"; have the sky estimated: {ESTIMATES}; --sky none keeps the table without it, for fields"
    else:
        text += "; name more columns of the file by --column NAME=HEADING, or take a file that has them"
    raise WeatherError(text)


def _lacking(table: WeatherTable, needed: tuple[str, ...]) -> list[str]:
    missing = [entry for entry in needed if not any(name in table for name in entry.split("|"))]
    return list(dict.fromkeys(missing))
