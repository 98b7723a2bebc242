"""Open-Meteo's archive (ERA5 and relatives): replies in JSON, hourly or daily.

An hourly value carries the end of its hour: radiation and precipitation are those of the hour before it, the others are
instantaneous. All go to the row that begins an hour earlier. Daily values belong to local days and keep their date.
"""

from typing import Any

import numpy as np

from phytotron.core.constants import SECONDS_PER_DAY, SECONDS_PER_HOUR
from phytotron.weather.calendar import Times
from phytotron.weather.site import Provenance, Site
from phytotron.weather.sources import derive
from phytotron.weather.sources.numbers import Rows, iso_times, json_numbers, shown
from phytotron.weather.sources.series import Column, Request, Series
from phytotron.weather.sources.text import Source, named_place, no_place
from phytotron.weather.sources.units import converted

LICENCE = "CC BY 4.0: Open-Meteo.com; contains modified Copernicus Climate Change Service information"
FIRST_SECOND, LAST_SECOND = -8520336000, 7258118400  # unix times of 1700 and 2200

# name in the reply -> variable; the older spelling of a name leaves out the first underscore of a pair of words
HOURLY = {
    "shortwave_radiation": "global_radiation",
    "temperature_2m": "air_temperature",
    "relative_humidity_2m": "relative_humidity",
    "relativehumidity_2m": "relative_humidity",
    "dew_point_2m": "dew_point",
    "dewpoint_2m": "dew_point",
    "wind_speed_10m": "wind_speed",
    "windspeed_10m": "wind_speed",
    "cloud_cover": "cloud_cover",
    "cloudcover": "cloud_cover",
    "surface_pressure": "air_pressure",
    "precipitation": "rain",
    "soil_temperature_100_to_255cm": "soil_temperature",
    "et0_fao_evapotranspiration": "reference_evapotranspiration",
}
DAILY = {
    "shortwave_radiation_sum": "irradiation",
    "temperature_2m_min": "minimum_temperature",
    "temperature_2m_max": "maximum_temperature",
    "temperature_2m_mean": "air_temperature",
    "relative_humidity_2m_mean": "relative_humidity",
    "dew_point_2m_mean": "dew_point",
    "wind_speed_10m_mean": "wind_speed",
    "windspeed_10m_mean": "wind_speed",
    "cloud_cover_mean": "cloud_cover",
    "surface_pressure_mean": "air_pressure",
    "precipitation_sum": "rain",
    "et0_fao_evapotranspiration": "reference_evapotranspiration",
}


def is_open_meteo(source: Source) -> bool:
    """Return whether this is a reply of Open-Meteo, or a list of them."""
    reply = source.json if source.looks_like_json else None
    while isinstance(reply, list) and reply:
        reply = reply[0]
    return isinstance(reply, dict) and bool({"hourly", "daily", "utc_offset_seconds", "error"} & set(reply))


def read_open_meteo(source: Source, request: Request) -> Series:
    """Return the hourly values of a reply, or the daily ones where it has no others."""
    reply = source.json
    if isinstance(reply, list):
        raise source.error(f"the reply holds {len(reply)} places", "ask for one latitude and longitude at a time")
    if not isinstance(reply, dict):
        raise source.error("the reply is not an object", "expected {'latitude': ..., 'hourly': {...}}")
    if reply.get("error"):
        raise source.error(f"the service refused: {shown(reply.get('reason'))}", "correct what was asked for")
    kind = "hourly" if "hourly" in reply else "daily"
    block, units = reply.get(kind), reply.get(f"{kind}_units")
    if not isinstance(block, dict) or not isinstance(units, dict) or not isinstance(block.get("time"), list):
        raise source.error(
            "the reply has no hourly or daily values with their units",
            "expected hourly and hourly_units, or daily ones",
        )
    offset = reply.get("utc_offset_seconds", 0)
    if isinstance(offset, bool) or not isinstance(offset, int) or abs(offset) > 14 * SECONDS_PER_HOUR:
        raise source.error(f"utc_offset_seconds is {shown(offset)}", "expected whole seconds, up to 14 hours")
    rows = Rows(np.arange(1, len(block["time"]) + 1), "entry")
    known = HOURLY if kind == "hourly" else DAILY
    columns: dict[str, Column] = {}
    for heading, values in block.items():
        if not isinstance(values, list) or len(values) != rows.size:
            raise source.error(
                f"{kind}.{heading} is not a list of {rows.size} values", "the reply is damaged; fetch it again"
            )
        name = known.get(heading)
        if name is not None:
            if name in columns:
                raise source.error(f"{columns[name].heading} and {heading} both give {name}", "ask for one of them")
            found = json_numbers(source, heading, values, rows)
            columns[name] = Column(heading, converted(source, heading, name, found, units.get(heading)), values)
    ignored = sorted(set(block) - set(known) - {"time"})
    notes = [f"columns that are not used: {', '.join(ignored)}"] if ignored else []
    if kind == "daily" and offset:
        notes.append(f"days of a local time, UTC{offset / SECONDS_PER_HOUR:+g} h")
    return Series(
        source=source,
        times=_times(source, kind, block["time"], units.get("time"), offset, rows),
        rows=rows,
        interval=SECONDS_PER_HOUR if kind == "hourly" else SECONDS_PER_DAY,
        columns=columns,
        site=request.site or _site(source, reply),
        provenance=Provenance(f"Open-Meteo archive, {kind} values", LICENCE, tuple(notes)),
        derive=derive.HOURS if kind == "hourly" else derive.DAYS,
    )


def _times(source: Source, kind: str, texts: list[Any], unit: Any, offset: int, rows: Rows) -> Times:
    if unit == "unixtime":
        seconds = json_numbers(source, "time", texts, rows)
        wrong = ~((seconds >= FIRST_SECOND) & (seconds <= LAST_SECOND) & (seconds == np.floor(seconds)))
        remedy = "expected unix time in whole seconds"
        source.refuse(wrong, lambda bad: f"{rows[bad]}: time is {shown(texts[bad])}", remedy)
        utc: Times = np.asarray(seconds.astype(np.int64).astype("datetime64[s]"))
        local: Times = utc + np.timedelta64(offset, "s")
    elif unit == "iso8601":
        local = iso_times(source, f"{kind}.time", texts, rows)
        utc = local - np.timedelta64(offset, "s")
    else:
        raise source.error(f"the time has the unit {shown(unit)}", "expected iso8601 or unixtime")
    if kind == "daily":
        return local.astype("datetime64[D]").astype("datetime64[s]")
    return utc - np.timedelta64(SECONDS_PER_HOUR, "s")


def _site(source: Source, reply: dict[str, Any]) -> Site:
    keys = ("latitude", "longitude", "elevation")
    numbers = json_numbers(source, "the place", [reply.get(key) for key in keys], Rows(np.array(keys), "entry"))
    if np.isnan(numbers).any():
        raise no_place(source, "the reply does not name latitude, longitude and elevation")
    latitude, longitude, elevation = map(float, numbers)
    name = f"Open-Meteo {latitude:g}, {longitude:g}"
    return named_place(source, "the place", name, latitude, longitude, elevation)
