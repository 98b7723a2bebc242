"""Greenhouse climate control: the task of GreenLight-Gym (van Laatum, van Henten and Boersma)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.environment import Info
from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import Quantity, as_record, names, record, unstack, with_values
from phytotron.environments.distributions import Distribution, sample_parameters
from phytotron.environments.glasshouse.parameters import (
    choose_randomisation,
    choose_rules,
)
from phytotron.environments.glasshouse.start import at_rest
from phytotron.environments.glasshouse.task import GlasshouseTask
from phytotron.environments.glasshouse.windows import FirstDay, choose_weather
from phytotron.environments.greenhouse import presentation as shown
from phytotron.environments.greenhouse import reward as rewards
from phytotron.environments.greenhouse.actions import LEARNED, ControlProcessing, control_processing
from phytotron.environments.greenhouse.observations import FORECASTS, OBSERVABLES, Situation
from phytotron.environments.greenhouse.rendering import LAST_DAY, draw, last_day_values
from phytotron.environments.greenhouse.reward import REWARDS, Prices, RewardParameters, Turnover, load_prices
from phytotron.environments.greenhouse.tuning import tunable_rules
from phytotron.environments.observing import ObservationChoice, Observer
from phytotron.environments.possible_states import last_possible
from phytotron.environments.rewarding import Reward, Rewarded, check_ordered
from phytotron.models.greenlight import (
    Control,
    Parameters,
    State,
    Weather,
)
from phytotron.models.greenlight.growth import harvest_rate
from phytotron.models.greenlight.rules import RuleSettings, rule_based
from phytotron.weather.greenhouse_weather import Days, GreenhouseWeather

PAPER_SET = "greenlight_gym_1p4ha_led"


@record
class GreenhouseParams:
    """The parameters that may vary between episodes. The start is drawn from `start_days`, which count the days of the
    weather.

    A batch that varies the model shares the weather: `jax.vmap` takes a `GreenhouseParams` of axes, with None for it.
    """

    model: Parameters
    rules: RuleSettings
    prices: Prices
    reward: RewardParameters
    weather: GreenhouseWeather
    start_days: Array


@record
class GreenhouseState:
    """The model's state, the positions of the actuators, what was drawn for the episode, and two counters.

    Time follows from the counters without drift.
    """

    model: State
    control: Control  # of the interval that ended last
    drawn: dict[str, Array]  # parameters of this episode, where they vary
    start_day: Array  # counts the days of the weather
    step: Array  # control intervals since the start of the episode
    last_day: dict[str, Array]  # series of the last 24 hours, where they are recorded for pictures


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Greenhouse(Rewarded, GlasshouseTask[GreenhouseState, GreenhouseParams]):
    """Keep a tomato greenhouse profitable, and its climate within bounds, for ten days.

    Observation
        Array (18,): air temperature [°C], CO2 [ppm], relative humidity [%], fruit dry weight [kg m-2], dry weight
        harvested in the last interval [kg m-2], PAR above the crop [W m-2], daily mean canopy temperature [°C], CO2
        [kg m-2] and gas [m3 m-2] used in the last interval, (1 + sin) / 2 and (1 + cos) / 2 of hour and of day of year,
        global radiation [W m-2], outdoor temperature [°C], relative humidity [%], CO2 [ppm] and wind [m s-1].
        `observation`: any list of the names in `observations.OBSERVABLES`, of its groups ("paper", "state", "control",
        "weather"), and of observers such as `Forecast(hours=6, error=0.5)`; "day_ahead" is one of a day, in five means.
    Action
        Array (4,) in [-1, 1]: boiler, CO2 injection, thermal screen, roof vent. (a + 1) / 2 is the actuator's position,
        held for a control interval. Lamps and blackout screen follow the grower's rule, evaluated at its start.
        `actuators`: other names, "all", or a `ControlProcessing` (rate-limited actions, bounds). Values beyond the
        bounds are clipped. A value that is not finite is an error; inside `jit`, where none can be raised, NaN counts
        as -1 and `info["action_invalid"]` is True.
    Reward
        Profit of the interval (fruit at 1.60 €/kg less CO2 at 0.10 €/kg and gas at 0.26 €/m3), scaled to 0 for full
        consumption without harvest and to 1 for a harvest of 0.328 mg m-2 s-1 without consumption. The penalty is the
        mean over air temperature in [10, 35] °C, CO2 in [0, 1000] ppm and relative humidity in [60, 90] % of
        2 / pi arctan(b x), x being the violation and b 1.2, 0.008 and 1. "multiplicative": scaled (1 - penalty);
        "additive": scaled - penalty; also "profit", "scaled_profit", a `WeightedSum` of these and others, or any
        function of an `Outcome`. `prices`: numbers, 24 for the hours of the day in UTC, or a year of hours;
        electricity of lamps is 0.
    Costs
        `info["costs"]`: the three violations x, in °C, ppm and %.
    End
        Truncated after `episode_days`; the last reward counts like any other. Terminated where a state leaves what is
        physically possible: `info["left"]` is then the number of that state (`env.reason(info)` its name), the reward
        is 0 and the state that of the step before.
    Start
        A fixed state with a crop that bears fruit. Reset draws the day from those that `weather` offers: "SPLIT:PART"
        (by default the embedded training years of Schiphol), the name of an embedded series, "generated:PRESET", or a
        table. `first_day`, a day of the year (1 is 1 January) or the first and the last, and `years` narrow down the
        choice; `start_day`, the older option, counts days since 1 January. `randomise`: parameters to draw anew in
        every episode, e.g. {"tauRfPar": Relative(0.02)}.
    Gradients
        Reverse mode goes through a step, with the answers of the grower's rules to the climate taken as given. Forward
        mode does not: `GreenLight.run_inline` has it.
    Paper and code
        Where the paper and the code it came with differ, this is the paper; `phytotron/GreenLightGym-v0` is the code.

    >>> env = Greenhouse(reward="additive")
    >>> observation, state = env.reset(jax.random.key(0))
    >>> float(observation[0])
    16.5

    Version history
        v0: first release.
    """

    id: ClassVar[str] = "phytotron/Greenhouse-v0"
    plans_ignore: ClassVar[frozenset[str]] = GlasshouseTask.plans_ignore | {"first_day", "start_day", "record_last_day"}
    narrowing: ClassVar[tuple[str, ...]] = ("years", "first_day", "start_day")
    temperature_offset: ClassVar[float] = 0.0  # °C, added to the outdoor temperature
    differentiable: ClassVar[bool] = True
    rewards: ClassVar[Mapping[str, Reward]] = REWARDS
    measures = cached_property(shown.measures)
    channels = cached_property(shown.channels)
    scheduling = cached_property(shown.scheduling)
    baselines = cached_property(shown.baselines)
    presentation = cached_property(shown.presentation)
    tunable_rules = cached_property(tunable_rules)

    parameters: str | Parameters = PAPER_SET
    randomise: Mapping[str, Distribution] = dataclasses.field(default_factory=dict)
    reward: str | Reward = "multiplicative"
    reward_parameters: RewardParameters | Mapping[str, Any] = dataclasses.field(default_factory=dict)
    prices: Prices | Mapping[str, Any] = dataclasses.field(default_factory=dict)
    observation: ObservationChoice = "paper"
    actuators: ControlProcessing | Sequence[str] | str = LEARNED
    first_day: FirstDay = None
    start_day: FirstDay = None  # days since 1 January, as in the published code; `first_day` is the same plus 1
    episode_days: float = 10.0
    control_interval: int = 300
    harvest_step: float = 0.0  # s, for which the published code holds the harvest; 0: none
    record_last_day: bool = False  # for pictures

    def __post_init__(self) -> None:
        """Refuse what is wrong now rather than at the first step."""
        _ = (
            self.episode_steps,
            self.windows,
            self.model,
            self.observer,
            self.processing,
            self.chosen_reward,
            self._randomise,
        )
        check_ordered("reward_parameters", self.default_params.reward, rewards.BOUNDS)
        if not self.harvest_step >= 0.0:
            raise ValueRangeError("harvest_step", self.harvest_step, "seconds, 0 or more")

    # Choices, from a name or an object

    @cached_property
    def default_params(self) -> GreenhouseParams:
        weather, start_days = self.windows
        return GreenhouseParams(
            model=self._parameters,
            rules=choose_rules(self.rules, self.parameters, PAPER_SET),
            prices=load_prices(self.prices).cast(self.precision),
            reward=as_record(RewardParameters, self.reward_parameters),
            weather=weather.on_device(self.precision),
            start_days=jnp.asarray(start_days, jnp.int32),
        )

    @cached_property
    def windows(self) -> tuple[GreenhouseWeather, Days]:
        if self.first_day is not None and self.start_day is not None:
            raise ValueRangeError("start_day", self.start_day, "left out where `first_day` is given")
        option, first_day = ("first_day", self.first_day) if self.start_day is None else ("start_day", self.start_day)
        return choose_weather(
            self.weather,
            first_day,
            self.years,
            self.episode_days,
            self.weather_folder,
            self.temperature_offset,
            option,
        )

    @cached_property
    def observer(self) -> Observer:
        """Return the observer of the option `observation`."""
        return OBSERVABLES.choose(self.observation, FORECASTS)

    @cached_property
    def processing(self) -> ControlProcessing:
        """Return the conversion of actions to positions of actuators."""
        return control_processing(self.actuators)  # type: ignore[arg-type]

    @cached_property
    def _randomise(self) -> dict[str, Distribution]:
        return choose_randomisation(self.randomise, self._parameters)

    @property
    def episode_steps(self) -> int:
        return self.clock.steps(self.episode_days)

    # Documentation

    @property
    def fields(self) -> Mapping[str, Sequence[Quantity]]:
        params = self.default_params
        return {
            "observation": self.observer.quantities,
            "action": self.processing.quantities,
            "prices": with_values(params.prices.mean()),
            "reward parameters": with_values(params.reward),
            "rule settings": with_values(params.rules),
            "model parameters": with_values(params.model),
        }

    # The task

    def rule_based(self, state: GreenhouseState, params: GreenhouseParams | None = None) -> Control:
        """Return the positions of all actuators by the grower's rules."""
        params = self.default_params if params is None else params
        return rule_based(state.model, self.weather_at(state, params), params.rules)

    def initial(self, key: Array, params: GreenhouseParams) -> tuple[Array, GreenhouseState]:
        day_key, drawn_key, observation_key = jax.random.split(key, 3)
        start_day, step = jax.random.choice(day_key, params.start_days), jnp.zeros((), jnp.int32)
        weather = self.clock.weather(params.weather, start_day, step)
        zero = jnp.zeros((), self.precision)
        control = unstack(Control, jnp.zeros(len(names(Control)), self.precision))
        state = GreenhouseState(
            model=at_rest(weather, self.clock.time(params.weather, start_day, step)),
            control=control,
            drawn=self._draw(drawn_key, params),
            start_day=start_day,
            step=step,
            last_day=self._recorded({}, None, None, step),
        )
        return self._observe(observation_key, state, weather, Turnover(zero, zero, zero, zero), params), state

    def _draw(self, key: Array, params: GreenhouseParams) -> dict[str, Array]:
        return sample_parameters(key, self._randomise, params.model, self.precision)

    def supposed(self, key: Array, state: GreenhouseState, params: GreenhouseParams) -> GreenhouseState:
        return dataclasses.replace(state, drawn=self._draw(key, params))

    def transition(
        self, key: Array, state: GreenhouseState, action: Array, params: GreenhouseParams
    ) -> tuple[Array, GreenhouseState, Array, Array, Array, Info]:
        seconds = float(self.control_interval)
        parameters = dataclasses.replace(params.model, **state.drawn)
        weather = self.weather_at(state, params)
        # Rules answer in steps; gradients through their answers grow a thousandfold in some days of them.
        ruled = jax.lax.stop_gradient(rule_based(state.model, weather, params.rules))
        control = self.processing.control(action, state.control, ruled)

        step = state.step + 1
        model, harvest = self.clock.through(
            lambda model, held, _: self.model.run(model, control, held, parameters),
            state.model,
            jnp.zeros((), self.precision),
            params.weather,
            state.start_day,
            state.step,
        )
        harvest = harvest - self._early_harvest(state.model, model, parameters)
        model = dataclasses.replace(model, time=self.clock.time(params.weather, state.start_day, step))
        model, left = last_possible(state.model, model)
        terminated = left >= 0
        harvest = jnp.where(terminated, 0.0, harvest)
        after = GreenhouseState(
            model=model,
            control=control,
            drawn=state.drawn,
            start_day=state.start_day,
            step=step,
            last_day=self._recorded(state.last_day, model, control, step),
        )

        flows = rewards.turnover(harvest, control, parameters, seconds)
        year = params.weather.year[state.start_day] if params.prices.are_of_a_year else None
        prices = params.prices.at(state.model.time, year)
        profit = rewards.profit(flows, parameters, prices)
        costs = rewards.violations(model, params.reward)
        outcome = rewards.Outcome(
            profit=profit,
            scaled_profit=rewards.scaled_profit(profit, parameters, params.reward, params.prices, seconds),
            penalty=rewards.penalty(costs, params.reward),
            costs=costs,
            flows=flows,
            state=model,
            control=control,
            before=state.control,
            weather=weather,
            parameters=parameters,
        )
        reward = jnp.where(terminated, 0.0, self.chosen_reward(outcome)).astype(self.precision)
        info = {
            "costs": costs,
            "profit": profit,
            "penalty": outcome.penalty,
            **flows._asdict(),
            "action_invalid": ~jnp.all(jnp.isfinite(action)),
            "left": left,
        }
        observation = self._observe(key, after, self.weather_at(after, params), flows, params)
        return observation, after, reward, terminated, ~terminated & (step >= self.episode_steps), info

    def terminal_value(self, state: GreenhouseState, params: GreenhouseParams) -> Array:
        """Return the value of fruit on the plants and in their buffer, in € or scaled like the profit; 0 for other
        rewards.
        """
        parameters, prices = dataclasses.replace(params.model, **state.drawn), params.prices.mean()
        worth = prices.fruit * rewards.KG_PER_MG * rewards.fruit_to_come(state.model) / parameters.fruit_dry_matter
        if self.reward == "profit":
            return jnp.asarray(worth)
        if self.reward not in ("multiplicative", "additive", "scaled_profit"):
            return jnp.zeros(())
        seconds = float(self.control_interval)
        lowest, highest = rewards.profit_range(parameters, params.reward, params.prices, seconds)
        return jnp.asarray(worth / (highest - lowest))

    def toward(self, wanted: Array, state: GreenhouseState) -> Array:
        return self.processing.toward(wanted, state.control)

    def reached(self, action: Array, state: GreenhouseState) -> Array:
        return self.processing.reached(action, state.control)

    def _recorded(self, series: dict[str, Array], model: State | None, control: Control | None, step: Array) -> Any:
        """The series of the last day with one more entry; empty where they are not recorded."""
        if not self.record_last_day:
            return {}
        if model is None or control is None:
            return {name: jnp.zeros(self.clock.steps_per_day, self.precision) for name in LAST_DAY}
        place = (step - 1) % self.clock.steps_per_day
        return {name: series[name].at[place].set(value) for name, value in last_day_values(model, control).items()}

    def recorded(self) -> Greenhouse:
        return dataclasses.replace(self, record_last_day=True)

    def render(self, state: GreenhouseState, params: GreenhouseParams) -> Any:
        """Return a picture of the greenhouse and its last day, (540, 960, 3) bytes; needs matplotlib."""
        return draw(self, state, params)

    def _early_harvest(self, before: State, after: State, p: Parameters) -> Any:
        """What the published code misses by adding up the harvest of a solver's step at the rate before the step."""
        if self.harvest_step == 0.0:
            return 0.0
        return 0.5 * self.harvest_step * (harvest_rate(after, p) - harvest_rate(before, p))

    def _observe(
        self, key: Array, state: GreenhouseState, weather: Weather, flows: Turnover, params: GreenhouseParams
    ) -> Array:
        situation = Situation(
            state=state.model,
            weather=weather,
            control=state.control,
            flows=flows,
            time=state.model.time,
            parameters=dataclasses.replace(params.model, **state.drawn),
            equations=self.equations,
            series=params.weather,
            start_day=state.start_day,
            second=state.step * self.control_interval,
            key=key,
        )
        return self.observer.observe(situation).astype(self.precision)
