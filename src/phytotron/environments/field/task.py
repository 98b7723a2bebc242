"""The common part of all field tasks: options, seasons, decisions every few days from January on, presentation."""

import dataclasses
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from numbers import Integral
from pathlib import Path
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.controllers.base import off
from phytotron.core.arrays import check_precision
from phytotron.core.data_channels import with_state
from phytotron.core.environment import Info, Starts
from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import Quantity, quantities, unstack, with_values
from phytotron.core.presentation import Channel, Competitor, Presentation, Step, Timeline, channel
from phytotron.core.scheduling import Scheduling, Wanted, first_known
from phytotron.core.spaces import Box, Discrete
from phytotron.environments.field.doses import ActionProcessing, Continuous, choose_amounts
from phytotron.environments.field.farming import Limits, RewardParameters, costs
from phytotron.environments.field.returns import RETURNS
from phytotron.environments.field.seasons import WeatherChoice, choose_seasons
from phytotron.environments.observing import ObservationChoice, Observer
from phytotron.environments.on_weather import OnWeather
from phytotron.environments.rewarding import Reward, Rewarded, return_of
from phytotron.models.lintul3 import Weather
from phytotron.weather.calendar import days_after
from phytotron.weather.field_weather import FieldWeather

LONGEST_INTERVAL = 14  # d
DAY = channel("day", "DAY", "d", "days since 1 January, at the end of the interval", lambda s: s.info["day"], "time")
UNFERTILISED = "without nitrogen on the same weather"

State = TypeVar("State")
Params = TypeVar("Params")
Pytree = TypeVar("Pytree")


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class FieldTask(Rewarded, OnWeather[State, Params]):
    """Base of tasks in a field: a season with a decision every `interval` days.

    The specification is in the docstring of each task. Parameters have the fields `weather`, `seasons`, `reward` and
    `limits`, states the fields `season` and `day`.
    """

    doses: Sequence[float] | Continuous  # kg ha-1
    reward: str | Reward
    reward_parameters: RewardParameters | Mapping[str, Any] = dataclasses.field(default_factory=dict)
    limits: Limits | Mapping[str, Any] = dataclasses.field(default_factory=dict)
    observation: ObservationChoice = "paper"
    weather: WeatherChoice = "embedded_wheat:train"
    weather_folder: Path | None = None  # None: $PHYTOTRON_WEATHER
    years: int | tuple[int, ...] | None = None
    interval: int = 7  # d, between decisions
    precision: str = "float32"

    def __post_init__(self) -> None:
        """Refuse what is wrong now rather than at the first step."""
        check_interval(self.interval)
        check_precision(self.precision)
        _ = self.processing, self.observer, self.chosen_reward, self.default_params

    # Choices, from a name or an object

    @property
    @abstractmethod
    def observer(self) -> Observer:
        """Return the observer of the option `observation`."""

    @cached_property
    def processing(self) -> ActionProcessing:
        """Return the conversion of actions to amounts."""
        return ActionProcessing(choose_amounts(self.doses, "doses"))

    @cached_property
    def seasons(self) -> FieldWeather:
        """The weather of the seasons that the options `weather` and `years` select."""
        return choose_seasons(self.weather, self.years, self.weather_folder)

    def _held(self, latest: Any) -> FieldWeather:
        """The weather up to the latest harvests (seasons,), on the device.

        Beyond the last day there is room for an interval, so that no window is ever moved.
        """
        return self.seasons.resized(int(np.max(latest)) + 1 + LONGEST_INTERVAL).on_device(self.precision)

    # Spaces and documentation

    @cached_property
    def action_space(self) -> Box | Discrete:
        return self.processing.space(self.precision)

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        """Return whether gradients are available, which they are where doses are continuous."""
        return self.processing.continuous

    @property
    def fields(self) -> Mapping[str, Sequence[Quantity]]:
        params: Any = self.default_params
        return {
            "observation": self.observer.quantities,
            "action": self.processing.quantities,
            "reward parameters": with_values(params.reward),
            "limits": with_values(params.limits),
        }

    # Time

    @property
    def first_day(self) -> int:
        """The day of the first decision, in days since 1 January."""
        return self.interval

    @property
    def episode_steps(self) -> int:
        """The number of decisions in the longest possible season."""
        params: Any = self.default_params
        latest = params.weather.days - 1 - LONGEST_INTERVAL
        return int(-(-(latest - self.first_day) // self.interval))

    def starts(self, params: Params | None = None) -> Starts:
        chosen: Any = self.default_params if params is None else params
        return Starts.along(chosen, "seasons", (self.seasons.label(int(row)) for row in chosen.seasons))

    def start_of(self, state: State) -> str:
        now: Any = state
        return self.seasons.label(int(now.season))

    def start_data(self, number: int) -> Any:
        """Return the weather of the season."""
        params: Any = self.default_params
        season = int(params.seasons[number])
        return np.asarray(self.seasons.values)[season, : int(self.seasons.length[season])]

    def date(self, state: State) -> np.datetime64:
        """Return the day of a decision."""
        now: Any = state
        year = np.datetime64(int(self.seasons.year[int(now.season)]) - 1970, "Y")
        return np.datetime64(days_after(year.astype("datetime64[D]"), int(now.day)), "D")

    @cached_property
    def scheduling(self) -> Scheduling:
        """Doses of nitrogen and water on dates; each is given at the last decision up to its date."""

        def act(wanted: Wanted, state: State, params: Params) -> Array:
            amounts = {each.name: first_known(wanted, each.name, 0.0) for each in self.processing.quantities}
            return self.processing.action_of(amounts, self.precision)

        choices = self.processing.ladders
        options = {name: "irrigation" if name == "irrigation" else "doses" for name in choices if name != "measure"}
        return Scheduling(self.processing.quantities, act, doses=True, choices=choices, offered_by=options)

    @cached_property
    def data_channels(self) -> tuple[Channel, ...]:
        """The recorded channels with the weather, as means over the days of the interval."""

        def mean(place: int) -> Callable[[Step], Any]:
            def of(step: Step) -> Array:
                days = step.params.weather.window(step.before.season, step.before.day, self.interval)
                return jnp.mean(days[:, place])

            return of

        taken = {each.name for each in self.channels}
        weather = (
            Channel(dataclasses.replace(q, name=f"daily_{q.name}" if q.name in taken else q.name), mean(n), "weather")
            for n, q in enumerate(quantities(Weather))
        )
        return with_state(self, (*self.channels, *weather), without=("due",))

    def _info(self, after: Any, action: Array, outcome: Any, params: Any) -> Info:
        """What `info` has in every task: costs, growth [g m-2], what was given [kg ha-1], the year."""
        return {
            "costs": costs(after.farming.total_dose, after.farming.applications, params.limits),
            "growth": outcome.growth,
            "zero_growth": outcome.zero_growth,
            "total_dose": after.farming.total_dose,
            "year": params.weather.year[after.season],
            "action_invalid": ~jnp.all(jnp.isfinite(action)),
        }


def check_interval(interval: int) -> None:
    """Refuse a number of days between two decisions that is not allowed."""
    whole = isinstance(interval, Integral) and not isinstance(interval, bool)
    if not (whole and 1 <= interval <= LONGEST_INTERVAL):
        raise ValueRangeError("interval", interval, f"whole days, 1 to {LONGEST_INTERVAL}")


def some_days(
    field: Pytree, days: Array, due: Any, applied: Any, one_day: Callable[[Pytree, Weather, Any], Pytree]
) -> Pytree:
    """Return a field after some days of weather (days, 7), with amounts applied on the first and on the second of them.

    `one_day` returns the field of the next morning, from the field, the weather of the day and the amount applied.
    """

    def step(number: Array, now: Pytree) -> Pytree:
        def of_today(first: Array, second: Array) -> Array:
            return jnp.where(number == 0, first, jnp.where(number == 1, second, 0.0))

        management = jax.tree.map(of_today, due, applied)
        later = one_day(now, unstack(Weather, days[number]), management)
        return jax.tree.map(lambda new, old: new.astype(old.dtype), later, now)

    return jax.lax.fori_loop(0, days.shape[0], step, field) if days.shape[0] else field


def no_nitrogen(env: FieldTask[Any, Any]) -> Competitor:
    """Return the baseline that gives nothing all season."""
    return Competitor("no nitrogen", "no fertiliser at all", env, (off(env),))


def field_presentation(env: FieldTask[Any, Any], title: str, **others: Any) -> Presentation:
    """Return the presentation of a field task with the measures "nitrogen", "yield" and "applications".

    `others`: further entries of the presentation. The channels have to include "total_dose" [kg ha-1] and "grain" [t
    ha-1].
    """
    usual: dict[str, Any] = {
        "decides": "how much nitrogen fertiliser the field is given, if any",
        "returns": return_of(env.reward, RETURNS),
        "headline": ("return", "yield"),
        "learning": ("nitrogen", "yield"),
        "resources": ("nitrogen", "applications"),
        "product": "yield",
        "costs": {
            "nitrogen": ("nitrogen of the season above its limit", "kg ha-1"),
            "applications": ("applications of the season above their limit", ""),
        },
        "curves": (
            ("total_dose", "nitrogen given so far", "kg ha-1"),
            ("grain", "grain", "t ha-1"),
            ("sum of return", "return so far", "g m-2"),
        ),
        "timeline": Timeline(env.interval, first=float(env.first_day + env.interval), calendar=True),
    }
    return Presentation(title, **usual | others)
