"""Records of the tasks of two crops: parameters that vary between episodes, the state, and the season of an episode."""

from typing import Any, NamedTuple

from jax import Array

from phytotron.core.fields import record, unstack
from phytotron.environments.field.farming import Farming, Limits, RewardParameters
from phytotron.models.crops import Crop
from phytotron.models.lintul3 import State, Weather
from phytotron.weather.field_weather import FieldWeather

Crops = tuple[Crop, Crop]
States = tuple[State, State]


@record
class IntercropParams:
    """The parameters that may vary between episodes. The season is drawn from `seasons`, which count those of the
    weather.

    `zero_grain` belongs to `crops`, `factors` and `weather`: make all together with the environment's `params(...)`.
    """

    crops: Crops
    factors: Any  # how the crops affect each other: a record of the environment
    reward: RewardParameters
    limits: Limits
    weather: FieldWeather
    zero_grain: (
        Array  # (2, seasons, decisions), g m-2, grain of both crops without fertiliser, on the days of decisions
    )
    seasons: Array


@record
class IntercropState:
    """Both crops on the morning of a decision, and what was done."""

    stand: Any  # the crops and what is between them: a pytree of the interplay, with `crops`
    due: Array  # g m-2, what is applied on this very day; only at daily decisions other than nothing
    farming: Farming
    season: Array  # counts the seasons of the weather
    day: Array  # since 1 January; a crop that is harvested keeps the day of its harvest

    @property
    def crops(self) -> States:
        """The states of both crops."""
        return self.stand.crops


class Season(NamedTuple):
    """The season of an episode: its weather, and its crops and factors in the precision of the task."""

    number: Array  # among the seasons of the weather
    crops: Crops  # with the latest harvest in days of the season's year
    factors: Any
    weather: FieldWeather

    def days(self, first: Array, count: int) -> Array:
        """Return the weather (count, 7) from a day on."""
        return self.weather.window(self.number, first, count)

    def day(self, number: Array) -> Weather:
        """Return the weather of a day."""
        return unstack(Weather, self.days(number, 1)[0])

    def weather_ends(self, day: Array) -> Array:
        """Return whether a day is the last one of the weather."""
        return day + 1 >= self.weather.length[self.number]
