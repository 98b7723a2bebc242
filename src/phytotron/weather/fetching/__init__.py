"""Weather over the internet: KNMI, NASA POWER, Open-Meteo; see docs/weather_fetching.md."""

from phytotron.weather.fetching.http import Client, FetchError, Limits
from phytotron.weather.fetching.knmi import fetch_knmi
from phytotron.weather.fetching.nasa_power import fetch_nasa_power
from phytotron.weather.fetching.open_meteo import fetch_open_meteo
from phytotron.weather.fetching.series import FetchedYear

__all__ = [
    "Client", "FetchError", "FetchedYear", "Limits", "fetch_knmi", "fetch_nasa_power", "fetch_open_meteo",
]  # fmt: skip
