"""NASA POWER: daily weather anywhere on earth, from satellites and the MERRA-2 reanalysis.

Protocol: POWER daily API, point; parameters as PCSE asks for them. Meteorology begins in 1981, radiation in 1984.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Unpack

from phytotron.weather.fetching.arguments import base_url, checked_coordinate, degrees, one_of, place
from phytotron.weather.fetching.series import (
    DAILY,
    DAILY_COLUMNS,
    FetchedYear,
    FetchOptions,
    Request,
    Series,
    fetch_series,
)

URL = "https://power.larc.nasa.gov/api/temporal/daily/point"
URL_VARIABLE = "PHYTOTRON_POWER_URL"
PARAMETERS = (
    "TOA_SW_DWN", "ALLSKY_SFC_SW_DWN", "T2M", "T2M_MIN", "T2M_MAX", "T2MDEW", "WS2M", "PRECTOTCORR",
)  # fmt: skip
USER = "phytotron"  # letters and digits; names such as `anonymous` are reserved and refused


def fetch_nasa_power(
    latitude: float,
    longitude: float,
    years: Iterable[int],
    *,
    time_standard: str = "LST",
    url: str | None = None,
    **options: Unpack[FetchOptions],
) -> list[FetchedYear]:
    """Daily weather of a place, one file per year, e.g. `fetch_nasa_power(52.0, 5.5, range(1990, 2023))`.

    Options as for `fetch_series`; `time_standard` says when a day begins: LST (local solar time) or UTC. Free data:
    acknowledge the NASA POWER project.
    """
    north, east = checked_coordinate("latitude", latitude, 90), checked_coordinate("longitude", longitude, 180)
    one_of("the time standard", time_standard, ("LST", "UTC"))
    address = base_url(url, URL_VARIABLE, URL)

    def ask(first: date, last: date) -> Request:
        parameters = {
            "parameters": ",".join(PARAMETERS),
            "community": "AG",
            "latitude": degrees(north),
            "longitude": degrees(east),
            "start": f"{first:%Y%m%d}",
            "end": f"{last:%Y%m%d}",
            "format": "JSON",
            "time-standard": time_standard,
            "user": USER,
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
