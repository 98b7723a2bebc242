"""The Dutch weather service: stations, hourly from 1951 and daily from 1901.

Protocol: KNMI, "Data ophalen vanuit een script"; form parameters start, end, stns and vars, text in reply. The hours in
start and end of an hourly request select the same hours on every day, so they are 01 and 24.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Unpack

from phytotron.core.errors import ValueRangeError
from phytotron.weather.fetching.arguments import base_url, one_of
from phytotron.weather.fetching.series import DAILY, HOURLY, FetchedYear, FetchOptions, Request, Series, fetch_series

URL = "https://www.daggegevens.knmi.nl/klimatologie"
URL_VARIABLE = "PHYTOTRON_KNMI_URL"
# Temperature, dew point, humidity, radiation, wind, cloud, rain, pressure
HOURLY_VARIABLES = ("T", "TD", "U", "Q", "FH", "N", "RH", "P")
# Mean, lowest and highest temperature, humidity, radiation, wind, cloud, rain, pressure
DAILY_VARIABLES = ("TG", "TN", "TX", "UG", "Q", "FG", "NG", "RH", "PG")


def fetch_knmi(
    station: int | str,
    years: Iterable[int],
    *,
    resolution: str = "hourly",
    url: str | None = None,
    **options: Unpack[FetchOptions],
) -> list[FetchedYear]:
    """Weather of a KNMI station, one file per year, e.g. `fetch_knmi(240, range(2001, 2021))` for Schiphol.

    Options as for `fetch_series`; `resolution` is hourly or daily. Open data: name KNMI as the source.
    """
    number = _checked_station(station)
    hourly = one_of("the resolution", resolution, ("hourly", "daily")) == "hourly"
    base = base_url(url, URL_VARIABLE, URL)

    def ask(first: date, last: date) -> Request:
        begin_hour, end_hour = ("01", "24") if hourly else ("", "")
        parameters = {
            "start": f"{first:%Y%m%d}{begin_hour}",
            "end": f"{last:%Y%m%d}{end_hour}",
            "stns": str(number),
            "vars": ":".join(HOURLY_VARIABLES if hourly else DAILY_VARIABLES),
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
