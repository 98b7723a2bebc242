"""Open-Meteo's archive: hourly and daily weather anywhere on earth since 1940, from ECMWF reanalyses.

Protocol: Open-Meteo, Historical Weather API. Values stamped HH:00 belong to the hour before, so a year needs the first
stamp of the next one.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Unpack

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

URL = "https://archive-api.open-meteo.com/v1/archive"
URL_VARIABLE = "PHYTOTRON_OPEN_METEO_URL"
HOURLY_VARIABLES = (
    "temperature_2m", "relative_humidity_2m", "dew_point_2m", "wind_speed_10m", "shortwave_radiation", "cloud_cover",
    "surface_pressure", "precipitation",
)  # fmt: skip
DAILY_VARIABLES = (
    "temperature_2m_mean", "temperature_2m_min", "temperature_2m_max", "dew_point_2m_mean", "wind_speed_10m_mean",
    "shortwave_radiation_sum", "precipitation_sum",
)  # fmt: skip
MODELS = ("best_match", "era5", "era5_seamless", "ecmwf_ifs")


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
    """Weather of a place, one file per year, e.g. `fetch_open_meteo(52.3, 4.8, range(2015, 2021))`.

    Options as for `fetch_series`; `resolution` is hourly or daily. `best_match` takes a finer model from 2017 on; for
    years that are to be compared with each other choose era5. CC BY 4.0, free of charge for non-commercial use.
    """
    north, east = checked_coordinate("latitude", latitude, 90), checked_coordinate("longitude", longitude, 180)
    hourly = one_of("the resolution", resolution, ("hourly", "daily")) == "hourly"
    one_of("the model", model, MODELS)
    address = base_url(url, URL_VARIABLE, URL)

    def ask(first: date, last: date) -> Request:
        parameters = {
            "latitude": degrees(north),
            "longitude": degrees(east),
            "start_date": f"{first:%Y-%m-%d}",
            "end_date": f"{last + timedelta(days=1 if hourly else 0):%Y-%m-%d}",
            resolution: ",".join(HOURLY_VARIABLES if hourly else DAILY_VARIABLES),
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
