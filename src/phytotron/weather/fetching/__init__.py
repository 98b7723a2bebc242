"""Weather over the internet: KNMI, NASA POWER, Open-Meteo; see docs/weather_fetching.md."""

from phytotron.weather.fetching.http import Client, FetchError, Limits
from phytotron.weather.fetching.series import FetchedYear
from phytotron.weather.fetching.services import fetch_knmi, fetch_nasa_power, fetch_open_meteo

__all__ = [
    "Client", "FetchError", "FetchedYear", "Limits", "fetch_knmi", "fetch_nasa_power", "fetch_open_meteo",
]  # fmt: skip
