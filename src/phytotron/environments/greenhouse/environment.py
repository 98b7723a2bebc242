"""Greenhouse climate control: the task of GreenLight-Gym (van Laatum, van Henten and Boersma)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.environment import Environment, Info
from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.core.fields import Quantity, names, quantities, stack, unstack
from phytotron.core.spaces import Box
from phytotron.environments import greenhouse_reward as rewards
from phytotron.environments.greenhouse_clock import Clock
from phytotron.environments.greenhouse_observation import OBSERVATIONS, ObservationModel, Situation
from phytotron.environments.greenhouse_reward import REWARDS, Reward, RewardParameters, Turnover
from phytotron.environments.greenhouse_start import fruiting_crop
from phytotron.environments.greenhouse_types import Action, GreenhouseParams, GreenhouseState, to_control
from phytotron.environments.greenhouse_windows import Days, StartDay, WeatherChoice, choose_weather
from phytotron.models.greenlight import (
    Control,
    Equations,
    GreenLight,
    Parameters,
    Weather,
    load_parameters,
    spectral_radius_bound,
)
from phytotron.models.greenlight.rules import RuleSettings, load_rule_settings, rule_based
from phytotron.weather.greenhouse_weather import GreenhouseWeather

PAPER_SET = "greenlight_gym_1p4ha_led"
PRECISIONS = ("float32", "float64")
Choice = TypeVar("Choice")


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Greenhouse(Environment[GreenhouseState, GreenhouseParams]):
    """Keep a tomato greenhouse profitable, and its climate within bounds, for ten days.

    Observation
        Array (18,): air temperature [°C], CO2 [ppm], relative humidity [%], fruit dry weight [kg m-2], dry weight
        harvested in the last interval [kg m-2], PAR above the crop [W m-2], daily mean canopy temperature [°C], CO2
        [kg m-2] and gas [m3 m-2] used in the last interval, (1 + sin) / 2 and (1 + cos) / 2 of hour and of day of year,
        global radiation [W m-2], outdoor temperature [°C], relative humidity [%], CO2 [ppm] and wind [m s-1].
    Action
        Array (4,) in [-1, 1]: boiler, CO2 injection, thermal screen, roof vent. (a + 1) / 2 is the actuator's position,
        held for a control interval. Lamps and blackout screen follow the grower's rule, evaluated at its start. Values
        beyond the bounds are clipped. A value that is not finite is an error; inside `jit`, where none can be raised,
        NaN counts as -1 and `info["action_invalid"]` is True.
    Reward
        Profit of the interval (fruit at 1.60 €/kg less CO2 at 0.10 €/kg and gas at 0.26 €/m3), scaled to 0 for full
        consumption without harvest and to 1 for a harvest of 0.328 mg m-2 s-1 without consumption. The penalty is the
        mean over air temperature in [10, 35] °C, CO2 in [0, 1000] ppm and relative humidity in [60, 90] % of
        2 / pi arctan(b x), x being the violation and b 1.2, 0.008 and 1. "multiplicative": scaled (1 - penalty);
        "additive": scaled - penalty.
    Costs
        `info["costs"]`: the three violations x, in °C, ppm and %.
    End
        Truncated after `episode_days`, never terminated. The last reward counts like any other.
    Start
        A fixed state with a crop that bears fruit. Reset draws the day from those that `weather` offers: "SPLIT:PART"
        (by default the embedded training years of Schiphol), the name of an embedded series, or a table. `start_day`,
        a day of the year (1 January is 0) or the first and last, and `years` narrow down the choice.
    Paper and code
        Where the paper and the code it came with differ, this is the paper. The code adds 1.5 °C to the outdoor
        temperature (`weather=greenhouse_weather(table, temperature_offset=1.5)`), has another NIR balance
        (`equations=published("greenlight_gym_1p4ha_led")`), shows outdoor vapour pressure [Pa] and CO2 [mg m-3]
        (`observation="published_code"`), and ends an episode as terminated with a last reward of 0.

    >>> env = Greenhouse(reward="additive")
    >>> observation, state = env.reset(jax.random.key(0))
    >>> float(observation[0])
    16.5

    Version history
        v0: first release.
    """

    id: ClassVar[str] = "phytotron/Greenhouse-v0"

    parameters: str | Parameters = PAPER_SET
    reward: str | Reward = "multiplicative"
    reward_parameters: RewardParameters = dataclasses.field(default_factory=RewardParameters)
    observation: str | ObservationModel = "paper"
    rules: str | RuleSettings | None = None  # None: those that go with the parameter set
    weather: WeatherChoice = "embedded:train"
    weather_folder: Path | None = None  # None: $PHYTOTRON_WEATHER
    start_day: StartDay = None
    years: int | tuple[int, ...] | None = None
    episode_days: float = 10.0
    control_interval: int = 300
    solver: str = "rosenbrock"
    equations: Equations = dataclasses.field(default_factory=Equations)
    precision: str = "float32"

    def __post_init__(self) -> None:
        """Refuse what is wrong now rather than at the first step."""
        interval = self.control_interval
        if not (
            isinstance(interval, Integral) and 1 <= interval <= SECONDS_PER_DAY and SECONDS_PER_DAY % interval == 0
        ):
            raise ValueRangeError("control_interval", interval, "whole seconds, a whole number of which makes a day")
        if self.precision not in PRECISIONS:
            raise UnknownNameError("precision", self.precision, PRECISIONS)
        if self.precision == "float64" and jnp.result_type(float) != jnp.float64:
            raise PhytotronError("float64 has to be switched on first: jax.config.update('jax_enable_x64', True)")
        if not (isinstance(self.episode_days, Real) and self.episode_days > 0.0 and self.episode_steps >= 1):
            raise ValueRangeError("episode_days", self.episode_days, "above 0 and at least a control interval")
        _ = self.windows, self.model, self._reward, self._observation

    # Choices, from a name or an object

    @cached_property
    def default_params(self) -> GreenhouseParams:
        weather, start_days = self.windows
        rules = self.rules or (self.parameters if isinstance(self.parameters, str) else PAPER_SET)
        return GreenhouseParams(
            model=load_parameters(self.parameters) if isinstance(self.parameters, str) else self.parameters,
            rules=load_rule_settings(rules) if isinstance(rules, str) else rules,
            reward=self.reward_parameters,
            weather=weather.on_device(self.precision),
            start_days=jnp.asarray(start_days, jnp.int32),
        )

    @cached_property
    def windows(self) -> tuple[GreenhouseWeather, Days]:
        """The weather in use, and those of its days on which an episode may start."""
        return choose_weather(self.weather, self.start_day, self.years, self.episode_days, self.weather_folder)

    @property
    def clock(self) -> Clock:
        return Clock(self.control_interval, self.precision)

    @cached_property
    def model(self) -> GreenLight:
        """The greenhouse model with its solver."""
        bound = spectral_radius_bound(self.default_params.model)
        return GreenLight(self.solver, float(self.control_interval), spectral_radius=bound, equations=self.equations)

    @cached_property
    def _reward(self) -> Reward:
        return choose("reward", self.reward, REWARDS)

    @cached_property
    def _observation(self) -> ObservationModel:
        return choose("observation", self.observation, OBSERVATIONS)

    @property
    def episode_steps(self) -> int:
        """Control intervals in an episode."""
        return round(self.episode_days * self.clock.steps_per_day)

    # Spaces and documentation

    @cached_property
    def observation_space(self) -> Box:
        return Box.of(quantities(self._observation.record), self.precision)

    @cached_property
    def action_space(self) -> Box:
        return Box.of(quantities(Action), self.precision)

    @property
    def fields(self) -> Mapping[str, Sequence[Quantity]]:
        params = self.default_params
        return {
            "observation": tuple(quantities(self._observation.record)),
            "action": tuple(quantities(Action)),
            "reward parameters": with_values(params.reward),
            "rule settings": with_values(params.rules),
            "model parameters": with_values(params.model),
        }

    # The task

    def weather_at(self, state: GreenhouseState, params: GreenhouseParams | None = None) -> Weather:
        """The weather that the next control interval will have."""
        series = (self.default_params if params is None else params).weather
        return self.clock.weather(series, state.start_day, state.step)

    def initial(self, key: Array, params: GreenhouseParams) -> tuple[Array, GreenhouseState]:
        start_day = jax.random.choice(key, params.start_days)
        step = jnp.zeros((), jnp.int32)
        weather = self.clock.weather(params.weather, start_day, step)
        crop = fruiting_crop(weather, self.clock.time(params.weather, start_day, step))
        zero = jnp.zeros((), self.precision)
        control = unstack(Control, jnp.zeros(len(names(Control)), self.precision))
        state = GreenhouseState(model=crop, start_day=start_day, step=step)
        return self._observe(state, weather, control, Turnover(zero, zero, zero), params), state

    def transition(
        self, key: Array, state: GreenhouseState, action: Array, params: GreenhouseParams
    ) -> tuple[Array, GreenhouseState, Array, Array, Array, Info]:
        del key  # nothing is drawn within an episode
        seconds = float(self.control_interval)
        weather = self.weather_at(state, params)
        control = to_control(action, rule_based(state.model, weather, params.rules))

        step = state.step + 1
        model = self.model.advance(state.model, control, weather, params.model)
        model = dataclasses.replace(model, time=self.clock.time(params.weather, state.start_day, step))
        after = GreenhouseState(model=model, start_day=state.start_day, step=step)

        flows = rewards.turnover(state.model, model, control, params.model, self.equations, seconds)
        profit = rewards.profit(flows, params.model, params.reward)
        scaled = rewards.scaled_profit(profit, params.model, params.reward, seconds)
        costs = rewards.violations(model, params.reward)
        penalty = rewards.penalty(costs, params.reward)
        info = {
            "costs": costs,
            "profit": profit,
            "penalty": penalty,
            **flows._asdict(),
            "action_invalid": ~jnp.all(jnp.isfinite(action)),
        }
        observation = self._observe(after, self.weather_at(after, params), control, flows, params)
        terminated, truncated = jnp.zeros((), bool), step >= self.episode_steps
        return observation, after, self._reward(scaled, penalty), terminated, truncated, info

    def _observe(
        self, state: GreenhouseState, weather: Weather, control: Control, flows: Turnover, params: GreenhouseParams
    ) -> Array:
        situation = Situation(state.model, weather, control, flows, state.model.time, params.model, self.equations)
        return stack(self._observation.observe(situation)).astype(self.precision)


def choose(kind: str, chosen: str | Choice, known: Mapping[str, Choice]) -> Choice:
    """What a name stands for, or the object that was given instead."""
    if not isinstance(chosen, str):
        return chosen
    if chosen not in known:
        raise UnknownNameError(kind, chosen, known)
    return known[chosen]


def with_values(instance: Any) -> tuple[Quantity, ...]:
    """The quantities of a record, with its values as their defaults."""
    return tuple(dataclasses.replace(q, default=getattr(instance, q.name)) for q in quantities(instance))
