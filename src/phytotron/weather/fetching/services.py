"""The services that weather is fetched from, and what is asked of each.

KNMI, the Dutch weather service: stations, hourly from 1951 and daily from 1901. Protocol: "Data ophalen vanuit een
script"; form parameters start, end, stns and vars, text in reply. The hours in start and end of an hourly request
select the same hours on every day, so they are 01 and 24.

NASA POWER: daily weather anywhere on earth, from satellites and the MERRA-2 reanalysis. Protocol: POWER daily API,
point; parameters as PCSE asks for them. Meteorology begins in 1981, radiation in 1984.

Open-Meteo's archive: hourly and daily weather anywhere on earth since 1940, from ECMWF reanalyses. Protocol: Historical
Weather API. Values stamped HH:00 belong to the hour before, so a year needs the first stamp of the next one.
"""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Unpack

from phytotron.core.errors import ValueRangeError
from phytotron.weather.fetching.arguments import base_url, checked_coordinate, degrees, one_of, place
from phytotron.weather.fetching.series import (
    DAILY,
    DAILY_COLUMNS,
    HOURLY,
    HOURLY_COLUMNS,
    FetchedYear,
    FetchOptions,
    Request,
    Series,
    fetch_series,
)

KNMI_URL = "https://www.daggegevens.knmi.nl/klimatologie"
KNMI_VARIABLE = "PHYTOTRON_KNMI_URL"
# Temperature, dew point, humidity, radiation, wind, cloud, rain, pressure
KNMI_HOURLY = ("T", "TD", "U", "Q", "FH", "N", "RH", "P")
# Mean, lowest and highest temperature, humidity, radiation, wind, cloud, rain, pressure
KNMI_DAILY = ("TG", "TN", "TX", "UG", "Q", "FG", "NG", "RH", "PG")
POWER_URL = "https://power.larc.nasa.gov/api/temporal/daily/point"
POWER_VARIABLE = "PHYTOTRON_POWER_URL"
POWER_PARAMETERS = (
    "TOA_SW_DWN", "ALLSKY_SFC_SW_DWN", "T2M", "T2M_MIN", "T2M_MAX", "T2MDEW", "WS2M", "PRECTOTCORR",
)  # fmt: skip
POWER_USER = "phytotron"  # letters and digits; names such as `anonymous` are reserved and refused
OPEN_METEO_URL = "https://archive-api.open-meteo.com/v1/archive"
OPEN_METEO_VARIABLE = "PHYTOTRON_OPEN_METEO_URL"
OPEN_METEO_HOURLY = (
    "temperature_2m", "relative_humidity_2m", "dew_point_2m", "wind_speed_10m", "shortwave_radiation", "cloud_cover",
    "surface_pressure", "precipitation",
)  # fmt: skip
OPEN_METEO_DAILY = (
    "temperature_2m_mean", "temperature_2m_min", "temperature_2m_max", "dew_point_2m_mean", "wind_speed_10m_mean",
    "shortwave_radiation_sum", "precipitation_sum",
)  # fmt: skip
MODELS = ("best_match", "era5", "era5_seamless", "ecmwf_ifs")


def fetch_knmi(
    station: int | str,
    years: Iterable[int],
    *,
    resolution: str = "hourly",
    url: str | None = None,
    **options: Unpack[FetchOptions],
) -> list[FetchedYear]:
    """Fetch the weather of a KNMI station, one file per year, e.g. `fetch_knmi(240, range(2001, 2021))` for Schiphol.

    Options as for `fetch_series`; `resolution` is hourly or daily. Open data: name KNMI as the source.
    """
    number = _checked_station(station)
    hourly = one_of("the resolution", resolution, ("hourly", "daily")) == "hourly"
    base = base_url(url, KNMI_VARIABLE, KNMI_URL)

    def ask(first: date, last: date) -> Request:
        begin_hour, end_hour = ("01", "24") if hourly else ("", "")
        parameters = {
            "start": f"{first:%Y%m%d}{begin_hour}",
            "end": f"{last:%Y%m%d}{end_hour}",
            "stns": str(number),
            "vars": ":".join(KNMI_HOURLY if hourly else KNMI_DAILY),
        }
        return Request("POST", f"{base}/{'uurgegevens' if hourly else 'daggegevens'}", parameters)

    series = Series(
        service="KNMI",
        first_year=1951 if hourly else 1901,
        why_then=f"{resolution} values begin there",
        stem=f"knmi_{number}_{resolution}",
        suffix=".txt",
        interval=HOURLY if hourly else DAILY,
        years_per_request=1 if hourly else 10,
        delay=1,
        ask=ask,
        station=str(number),
        hint=f"does station {number} exist, and did it measure in these years?",
    )
    return fetch_series(series, years, **options)


def _checked_station(station: int | str) -> int:
    text = str(station).strip()
    if isinstance(station, bool) or not text.isdecimal() or not 0 < int(text) < 1000:
        raise ValueRangeError("the KNMI station", station, "its number, e.g. 240 (Schiphol) or 260 (De Bilt)")
    return int(text)


def fetch_nasa_power(
    latitude: float,
    longitude: float,
    years: Iterable[int],
    *,
    time_standard: str = "LST",
    url: str | None = None,
    **options: Unpack[FetchOptions],
) -> list[FetchedYear]:
    """Fetch the daily weather of a place, one file per year, e.g. `fetch_nasa_power(52.0, 5.5, range(1990, 2023))`.

    Options as for `fetch_series`; `time_standard` says when a day begins: LST (local solar time) or UTC. Free data:
    acknowledge the NASA POWER project.
    """
    north, east = checked_coordinate("latitude", latitude, 90), checked_coordinate("longitude", longitude, 180)
    one_of("the time standard", time_standard, ("LST", "UTC"))
    address = base_url(url, POWER_VARIABLE, POWER_URL)

    def ask(first: date, last: date) -> Request:
        parameters = {
            "parameters": ",".join(POWER_PARAMETERS),
            "community": "AG",
            "latitude": degrees(north),
            "longitude": degrees(east),
            "start": f"{first:%Y%m%d}",
            "end": f"{last:%Y%m%d}",
            "format": "JSON",
            "time-standard": time_standard,
            "user": POWER_USER,
        }
        return Request("GET", address, parameters)

    series = Series(
        service="NASA POWER",
        first_year=1984,
        why_then="meteorology begins in 1981, but radiation in 1984",
        stem=f"nasa_power_{place(north, east)}{'-utc' if time_standard == 'UTC' else ''}_daily",
        suffix=".json",
        interval=DAILY,
        years_per_request=None,
        delay=1,
        ask=ask,
        require=DAILY_COLUMNS,
        hint="are there values for all of these years?",
    )
    return fetch_series(series, years, **options)


def fetch_open_meteo(
    latitude: float,
    longitude: float,
    years: Iterable[int],
    *,
    resolution: str = "hourly",
    model: str = "best_match",
    url: str | None = None,
    **options: Unpack[FetchOptions],
) -> list[FetchedYear]:
    """Fetch the weather of a place, one file per year, e.g. `fetch_open_meteo(52.3, 4.8, range(2015, 2021))`.

    Options as for `fetch_series`; `resolution` is hourly or daily. `best_match` takes a finer model from 2017 on; for
    years that are to be compared with each other choose era5. CC BY 4.0, free of charge for non-commercial use.
    """
    north, east = checked_coordinate("latitude", latitude, 90), checked_coordinate("longitude", longitude, 180)
    hourly = one_of("the resolution", resolution, ("hourly", "daily")) == "hourly"
    one_of("the model", model, MODELS)
    address = base_url(url, OPEN_METEO_VARIABLE, OPEN_METEO_URL)

    def ask(first: date, last: date) -> Request:
        parameters = {
            "latitude": degrees(north),
            "longitude": degrees(east),
            "start_date": f"{first:%Y-%m-%d}",
            "end_date": f"{last + timedelta(days=1 if hourly else 0):%Y-%m-%d}",
            resolution: ",".join(OPEN_METEO_HOURLY if hourly else OPEN_METEO_DAILY),
            "timezone": "GMT",
            "wind_speed_unit": "ms",
        }
        if model != "best_match":
            parameters["models"] = model
        return Request("GET", address, parameters)

    series = Series(
        service="Open-Meteo",
        first_year=1940,
        why_then="its archive begins there",
        stem=f"open_meteo_{place(north, east)}{'' if model == 'best_match' else f'-{model}'}_{resolution}",
        suffix=".json",
        interval=HOURLY if hourly else DAILY,
        years_per_request=1 if hourly else 10,
        delay=3 if hourly else 2,
        ask=ask,
        require=HOURLY_COLUMNS if hourly else DAILY_COLUMNS,
        hint="does the model have values for all of these years?",
    )
    return fetch_series(series, years, **options)
