"""The options that all tasks of two crops have, and what they stand for."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from numbers import Integral
from pathlib import Path
from typing import Any

from phytotron.core.environment import Measure
from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import Quantity, with_values
from phytotron.core.spaces import Box, Discrete
from phytotron.environments.field.doses import ActionProcessing, Continuous
from phytotron.environments.field.seasons import WeatherChoice, choose_seasons
from phytotron.environments.intercrop.actions import DOSES, processing
from phytotron.environments.intercrop.measures import MEASURES
from phytotron.environments.intercrop.observations import choose_observer
from phytotron.environments.intercrop.reward import REWARDS
from phytotron.environments.intercrop.types import Crops, IntercropParams, IntercropState
from phytotron.environments.observing import ObservationChoice, Observer
from phytotron.environments.on_weather import OnWeather
from phytotron.environments.precision import check_precision
from phytotron.environments.rewarding import Reward, choose_reward
from phytotron.environments.wheat.reward import Limits, RewardParameters
from phytotron.models.crops import Crop, load_crop
from phytotron.weather.field_weather import FieldWeather

LONGEST_INTERVAL = 14  # d


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class PairOptions(OnWeather[IntercropState, IntercropParams]):
    """Choices from a name or an object; wrong ones are refused when the environment is made."""

    crops: tuple[str | Crop, str | Crop] = ("winter_wheat", "faba_bean")
    doses: Sequence[float] | Continuous = DOSES  # kg ha-1
    reward: str | Reward = "intercropgym"
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
        whole = isinstance(self.interval, Integral) and not isinstance(self.interval, bool)
        if not (whole and 1 <= self.interval <= LONGEST_INTERVAL):
            raise ValueRangeError("interval", self.interval, f"whole days, 1 to {LONGEST_INTERVAL}")
        check_precision(self.precision)
        _ = self.processing, self.observer, self._reward, self.default_params

    @property
    @abstractmethod
    def chosen_factors(self) -> Any:
        """The record of `IntercropParams.factors`: how the crops affect each other."""

    @cached_property
    def _crops(self) -> Crops:
        given = self.crops
        if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != 2:
            raise ValueRangeError("crops", given, "a pair of names or of Crops")
        for each in given:
            if not isinstance(each, str | Crop):
                raise ValueRangeError("a crop", each, "a name or a Crop; load_crop(name, ...) makes one")
        one, two = (load_crop(each) if isinstance(each, str) else each for each in given)
        return one, two

    @cached_property
    def seasons(self) -> FieldWeather:
        """The weather in use, as it was given."""
        return choose_seasons(self.weather, self.years, self.weather_folder)

    @cached_property
    def processing(self) -> ActionProcessing:
        """How actions become amounts."""
        return processing(self.doses)

    @cached_property
    def observer(self) -> Observer:
        return choose_observer(self.observation, self.interval)

    @cached_property
    def _reward(self) -> Reward:
        return choose_reward(self.reward, REWARDS)

    @cached_property
    def observation_space(self) -> Box:
        return Box.of(self.observer.quantities, self.precision)

    @cached_property
    def action_space(self) -> Box | Discrete:
        return self.processing.space(self.precision)

    @property
    def fields(self) -> Mapping[str, Sequence[Quantity]]:
        params = self.default_params
        return {
            "observation": self.observer.quantities,
            "action": self.processing.quantities,
            "reward parameters": with_values(params.reward),
            "limits": with_values(params.limits),
            "factors": with_values(params.factors),
            "crop 1 parameters": with_values(params.crops[0].plant),
            "crop 2 parameters": with_values(params.crops[1].plant),
        }

    @property
    def measures(self) -> tuple[Measure, ...]:
        return MEASURES
