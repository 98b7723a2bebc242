"""Set-points for the greenhouse temperature, hour by hour: the task of GreenLightPlus's GreenhouseEnv."""

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property
from numbers import Integral
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.arrays import kept_if, zero_if
from phytotron.core.environment import Info
from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import Quantity, as_record, check_value, find, record, with_values
from phytotron.core.spaces import Box, Discrete
from phytotron.environments.glasshouse.clock import Clock
from phytotron.environments.glasshouse.parameters import choose_rules
from phytotron.environments.glasshouse.start import FRUITING, YOUNG, at_rest
from phytotron.environments.glasshouse.task import GlasshouseTask
from phytotron.environments.glasshouse.windows import choose_weather
from phytotron.environments.possible_states import last_possible
from phytotron.environments.setpoint import presentation as shown
from phytotron.environments.setpoint.observations import HIGHEST, LOWEST, OBSERVATIONS, Situation, observe
from phytotron.environments.setpoint.reward import (
    MATURE,
    Hour,
    Season,
    Targets,
    energy_per_fruit,
    first_season,
    harvest_energy_per_fruit,
    settle,
)
from phytotron.models.greenlight import (
    DEFAULT_SET,
    Parameters,
    State,
    Weather,
    forcing,
    processes,
)
from phytotron.models.greenlight.design import per_floor_area
from phytotron.models.greenlight.growth import harvest_rate
from phytotron.models.greenlight.rules import RuleSettings, rule_based
from phytotron.weather.greenhouse_weather import Days, GreenhouseWeather

KG_PER_MG, MJ_PER_J = 1e-6, 1e-6
DRY_MATTER = 0.06  # of fresh fruit, as published
DRAWN_DAYS = (90, 120)  # from which the published environment draws the first day


@record
class SetpointParams:
    """The parameters that may vary between episodes. The start is drawn from `start_days`, which count the days of the
    weather.

    `rules` hold every set-point and band of the climate computer; actions replace the two for heating.
    """

    model: Parameters
    rules: RuleSettings
    targets: Targets
    weather: GreenhouseWeather
    start_days: Array


@record
class SetpointState:
    """The greenhouse at a decision. Time follows from the counters without drift."""

    model: State
    day_set_point: Array  # °C
    night_set_point: Array  # °C
    season: Season
    start_day: Array  # counts the days of the weather
    step: Array  # decisions since the start of the season


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class GreenhouseSetpoint(GlasshouseTask[SetpointState, SetpointParams]):
    """Choose the heating set-point of a tomato greenhouse every hour, for fruit at little energy.

    Observation
        Array (14,), see `OBSERVATIONS`: day of the year, set-points of night and day [°C] and of CO2 [ppm]; CO2
        [mg m-3], vapour pressure [Pa] and temperature [°C] of the air; carbohydrates in the fruit [mg m-2], maintenance
        respiration and net photosynthesis [mg m-2 s-1]; global radiation [W m-2], outdoor temperature [°C]; energy of
        lamps and of boilers in the last step [MJ m-2].
    Action
        Discrete(11): 18 to 28 °C, for the set-point of the day where the sun is up when the step begins, and for that
        of the night otherwise. The other one stays. GreenLight's climate computer carries them out, with all its other
        set-points and bands (`rules`): heating, vents, screens, lamps and CO2, every `hold` seconds.
    Reward
        Without harvest, growth of the carbohydrates in the fruit [g m-2]. With harvest, fresh fruit [g m-2], times 1.2
        if the yield so far is what is due and 0.8 if not, times 1.2 if the energy per fruit since the harvest began is
        at most its target and 0.8 if not. At the end, all that was earned before times the shares by which energy per
        fruit and yield are better than their targets. `targets`: a `Targets`, or its numbers by name or symbol.
    End
        Truncated after `episode_days`, whether or not there is a harvest: `info["is_mature"]` tells. Terminated where
        a state leaves what is physically possible; the reward is then 0 and the state that of the step before.
    Start
        At midnight of `first_day` (1 is 1 January; by default drawn from 90 to 120, or from all days of weather
        that lacks these), with a young crop, or with one that bears fruit (`mature`). `weather`: the path of a file
        (EPW and others), or what `Greenhouse` takes. `initial_state`: values of states by name or symbol. `first_step`:
        where in the season it begins.
    Published environment
        `from_env_config` takes its `env_config`. What it does otherwise is listed in docs/greenlightplus.md.

    >>> env = GreenhouseSetpoint(first_day=100, episode_days=10)
    >>> observation, state = env.reset(jax.random.key(0))
    >>> float(observation[0])
    100.0

    Version history
        v0: first release. Corrected since: the end of the season was reported as terminated; it is a time limit, so
        truncated. Dynamics and rewards are the same.
    """

    id: ClassVar[str] = "phytotron/GreenhouseSetpoint-v0"
    plans_ignore: ClassVar[frozenset[str]] = GlasshouseTask.plans_ignore | {"first_day"}
    measures = shown.MEASURES
    channels = cached_property(shown.channels)
    scheduling = cached_property(shown.scheduling)
    baselines = cached_property(shown.baselines)
    presentation = cached_property(shown.presentation)
    tunable_rules = cached_property(shown.tunable_rules)

    parameters: str | Parameters = DEFAULT_SET
    targets: Targets | Mapping[str, Any] = dataclasses.field(default_factory=dict)
    mature: bool = False
    initial_state: Mapping[str, float] = dataclasses.field(default_factory=dict)
    first_day: int | tuple[int, int] = DRAWN_DAYS
    episode_days: float = 60.0
    control_interval: int = 3600  # s
    first_step: int = 0
    hold: int = 60  # s, for which the climate computer holds the actuators

    def __post_init__(self) -> None:
        """Refuse what is wrong now rather than at the first step."""
        if not (isinstance(self.first_step, Integral) and 0 <= self.first_step < self.season_steps):
            raise ValueRangeError("first_step", self.first_step, f"0 to {self.season_steps - 1}")
        for key, value in self.initial_state.items():
            check_value(find(State, key), value, "initial_state")
        _ = self.default_params, self.model

    # Choices, from a name or an object

    @classmethod
    def options_from(cls, configuration: Mapping[str, Any]) -> dict[str, Any]:
        """Return our options from a configuration that may use keys of GreenLightPlus's `env_config`."""
        from phytotron.environments.setpoint.configuration import translated  # late: it imports this module

        return translated(configuration)

    @cached_property
    def default_params(self) -> SetpointParams:
        weather, start_days = self.windows
        return SetpointParams(
            model=self._parameters,
            rules=choose_rules(self.rules, self.parameters, DEFAULT_SET),
            targets=as_record(Targets, self.targets),
            weather=weather.on_device(self.precision),
            start_days=jnp.asarray(start_days, jnp.int32),
        )

    @cached_property
    def windows(self) -> tuple[GreenhouseWeather, Days]:
        others = (self.years, self.episode_days, self.weather_folder)
        try:
            return choose_weather(self.weather, _checked(self.first_day), *others)
        except ValueRangeError:
            if self.first_day != DRAWN_DAYS:
                raise
            return choose_weather(self.weather, None, *others)  # on any day of weather that lacks the usual ones

    @cached_property
    def clock(self) -> Clock:
        return Clock(self.control_interval, self.precision, self.hold)

    @property
    def season_steps(self) -> int:
        """The number of decisions in a season."""
        return self.clock.steps(self.episode_days)

    @property
    def episode_steps(self) -> int:
        return self.season_steps - self.first_step

    def relaxed(self) -> "AnySetpoint":
        """Return the same task with any set-point from 18 to 28 °C, as degrees above 18 °C."""
        return AnySetpoint(**{each.name: getattr(self, each.name) for each in dataclasses.fields(self)})

    # Spaces and documentation

    @cached_property
    def action_space(self) -> Discrete | Box:
        return Discrete(round(HIGHEST - LOWEST) + 1)

    @property
    def fields(self) -> Mapping[str, Sequence[Quantity]]:
        params = self.default_params
        return {
            "observation": OBSERVATIONS,
            "action": (Quantity("set_point", "tSp", "°C", "18 °C plus the action", LOWEST, HIGHEST),),
            "targets": with_values(params.targets),
            "rule settings": with_values(params.rules),
            "model parameters": with_values(params.model),
        }

    # The task

    def is_day(self, state: SetpointState, params: SetpointParams) -> Array:
        """Return whether the next action sets the set-point of the day, because the sun is up when its
        interval begins.
        """
        return self.weather_at(state, params).is_day >= 1.0

    def initial(self, key: Array, params: SetpointParams) -> tuple[Array, SetpointState]:
        start_day = jax.random.choice(key, params.start_days)
        step = jnp.asarray(self.first_step, jnp.int32)
        weather = self.clock.weather(params.weather, start_day, step)
        crop = FRUITING if self.mature else YOUNG
        model = at_rest(weather, self.clock.time(params.weather, start_day, step), crop)
        given = {find(State, key).name: jnp.asarray(value, self.precision) for key, value in self.initial_state.items()}
        state = SetpointState(
            model=dataclasses.replace(model, **given),
            day_set_point=jnp.asarray(params.rules.temperature_day, self.precision),
            night_set_point=jnp.asarray(params.rules.temperature_night, self.precision),
            season=first_season(self.season_steps, self.precision),
            start_day=start_day,
            step=step,
        )
        zero = jnp.zeros((), self.precision)
        nothing = Hour(zero, zero, zero, zero, harvest_rate(state.model, params.model) > MATURE)
        return self._observe(state, nothing, params), state

    def transition(
        self, key: Array, state: SetpointState, action: Array, params: SetpointParams
    ) -> tuple[Array, SetpointState, Array, Array, Array, Info]:
        by_day = self.is_day(state, params)
        set_point = (LOWEST + action.astype(self.precision)).astype(self.precision)
        chosen = dataclasses.replace(
            state,
            day_set_point=jnp.where(by_day, set_point, state.day_set_point),
            night_set_point=jnp.where(by_day, state.night_set_point, set_point),
        )
        step = state.step + 1
        model, hour = self._advance(chosen, params)
        model = dataclasses.replace(model, time=self.clock.time(params.weather, state.start_day, step))
        model, left = last_possible(state.model, model)
        failed = left >= 0
        # a step that failed has no harvest and no energy, so that nobody sees its NaN
        hour = zero_if(failed, hour)
        over = step >= self.season_steps
        reward, season = settle(state.season, hour, step, self.season_steps, params.targets, over)
        season = kept_if(failed, state.season, season)
        after = dataclasses.replace(chosen, model=model, season=season, step=step)
        info = {
            "costs": {},
            "is_mature": hour.is_mature,
            "harvest": hour.harvest,
            "lamp_energy": hour.lamps,
            "boiler_energy": hour.boilers,
            "total_yield": season.fruit,
            "total_energy": season.energy,
            "yield_unit_energy_input": energy_per_fruit(season),
            "harvest_unit_energy_input": harvest_energy_per_fruit(season),
            "left": left,
        }
        reward = jnp.where(failed, 0.0, reward).astype(self.precision)
        observation = self._observe(after, hour, params)
        return observation, after, reward, failed, ~failed & over, info

    def _advance(self, state: SetpointState, params: SetpointParams) -> tuple[State, Hour]:
        """The greenhouse after the step, the climate computer acting every few minutes on state and weather."""
        p, rules, joules = params.model, _rules(state, params), MJ_PER_J * self.clock.held

        def piece(model: State, weather: Weather, time: Array) -> tuple[State, tuple[Array, Array, Array]]:
            control = rule_based(dataclasses.replace(model, time=time), weather, rules)
            after, harvest = self.model.run(model, control, weather, p)
            lamp = control.lamp * p.lamp_power + control.interlamp * p.interlamp_power
            heat = control.boiler * p.boiler_power + control.grow_pipe_boiler * p.grow_pipe_boiler_power
            return after, (harvest, joules * lamp, per_floor_area(joules * heat, p))

        zero = jnp.zeros((), self.precision)
        model, (harvest, lamps, boilers) = self.clock.through(
            piece, state.model, (zero, zero, zero), params.weather, state.start_day, state.step
        )
        return model, Hour(
            fruit_growth=model.fruit_carbohydrate - state.model.fruit_carbohydrate,
            harvest=KG_PER_MG * harvest / DRY_MATTER,
            lamps=lamps,
            boilers=boilers,
            is_mature=harvest_rate(model, p) > MATURE,
        )

    def _observe(self, state: SetpointState, hour: Hour, params: SetpointParams) -> Array:
        weather = self.weather_at(state, params)
        control = rule_based(state.model, weather, _rules(state, params))
        held = forcing(control, weather, params.model, self.equations)
        situation = Situation(
            day_of_year=1.0 + self.clock.time(params.weather, state.start_day, state.step),
            night_set_point=state.night_set_point,
            day_set_point=state.day_set_point,
            co2_set_point=params.rules.co2_day,
            state=state.model,
            growth=processes(state.model, held, self.equations).growth,
            weather=weather,
            hour=hour,
        )
        return observe(situation).astype(self.precision)


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class AnySetpoint(GreenhouseSetpoint):
    """The set-point task with continuous set-points as actions, for gradients through the climate computer."""

    differentiable: ClassVar[bool] = True

    @cached_property
    def action_space(self) -> Box:
        return Box.uniform(0.0, HIGHEST - LOWEST, (), self.precision)


def _rules(state: SetpointState, params: SetpointParams) -> RuleSettings:
    """The rule settings with the set-points that were chosen last."""
    return dataclasses.replace(
        params.rules, temperature_day=state.day_set_point, temperature_night=state.night_set_point
    )


def _checked(first_day: int | tuple[int, int]) -> tuple[int, int]:
    """The first and the last day of the year on which an episode may start."""
    days = tuple(first_day) if isinstance(first_day, tuple | list) else (first_day, first_day)
    if not (len(days) == 2 and all(isinstance(day, Integral) and 1 <= day <= 366 for day in days)):
        raise ValueRangeError("first_day", first_day, "one day of the year or the first and the last, from 1 to 366")
    return (int(days[0]), int(days[1]))
