"""A stochastic weather generator: unlimited years of daily and hourly weather from embedded climate statistics."""

from phytotron.weather.generator.daily import DailyWeather
from phytotron.weather.generator.generator import ClimateShift, WeatherGenerator
from phytotron.weather.generator.tables import PRESETS

__all__ = ["PRESETS", "ClimateShift", "DailyWeather", "WeatherGenerator"]
