"""The task as the published code of GreenLight-Gym has it, where that differs from the paper."""

from typing import Any

from phytotron.models.greenlight import published
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.greenhouse_weather import greenhouse_weather
from phytotron.weather.table import WeatherTable

TEMPERATURE_OFFSET = 1.5  # °C, added to the outdoor temperature
SOLVER_STEP = 1.0  # s


def published_code(table: WeatherTable | None = None) -> dict[str, Any]:
    """Return options of the environment, for weather from a table (by default the embedded one of Schiphol)."""
    table = embedded_weather("schiphol") if table is None else table
    return {
        "weather": greenhouse_weather(table, temperature_offset=TEMPERATURE_OFFSET),
        "equations": published("greenlight_gym_1p4ha_led"),
        "observation": "published_code",
        "harvest_step": SOLVER_STEP,
    }
