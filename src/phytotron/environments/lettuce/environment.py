"""The lettuce greenhouse of van Henten, in the form of the benchmark of van Laatum et al. (2026)."""

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property
from numbers import Integral, Real
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.controllers.base import Constant
from phytotron.core.arrays import cast, check_precision, soft_clip
from phytotron.core.data_channels import with_state
from phytotron.core.environment import Info, Starts
from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import Quantity, as_record, quantities, record, stack, unstack, with_values
from phytotron.core.outcomes import share_within_bounds, total
from phytotron.core.plannable import Steering
from phytotron.core.presentation import Baseline, Channel, Competitor, Presentation, Timeline
from phytotron.core.scheduling import Scheduling, Wanted, first_known
from phytotron.environments.lettuce.model import Climate, Control, Parameters, State, Weather, advance
from phytotron.environments.lettuce.reward import RETURNS, REWARDS, Limits, Prices, outcome
from phytotron.environments.lettuce.rules import RuleBased, tunable_rules
from phytotron.environments.lettuce.seasons import FIRST_DAY, STEPS_PER_DAY, Seasons, WeatherChoice, choose_seasons
from phytotron.environments.on_weather import OnWeather
from phytotron.environments.rewarding import Reward, choose_reward, return_of, uncharged
from phytotron.weather.calendar import days_after

START = State(dry_weight=0.0035, co2=1e-3, temperature=15.0, humidity=0.008)
START_CONTROL = Control(co2_supply=0.0, ventilation=0.0, heating=50.0)
HIGHEST = np.array([q.high for q in quantities(Control)])
LARGEST_CHANGE = 0.1 * HIGHEST  # in one step
MINUTES = 30  # of a step
PROGRESS = Quantity("progress", "t", "-", "share of the season that is over", 0.0, 1.0)
GROUPS = ("state",) * 4 + ("control",) * 3 + ("state",) + ("weather",) * 4  # of the channels that are observed
CONSTRAINTS = {
    "co2": ("CO2", "ppm"),
    "temperature": ("air temperature", "°C"),
    "relative_humidity": ("relative humidity", "%"),
}


@record
class LettuceParams:
    """The parameters that may vary between episodes. Reset draws the first day from `start_days`, days of the year."""

    model: Parameters
    prices: Prices
    limits: Limits
    weather: Array  # (rows, 4), quantities of `model.Weather` by the half hour
    start_days: Array


@record
class LettuceState:
    """The greenhouse, its actuators, the number of steps taken, and the row of the weather at the start."""

    greenhouse: State
    control: Control
    step: Array
    first_row: Array


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Lettuce(OnWeather[LettuceState, LettuceParams]):
    """Grow lettuce for 40 days at a profit, with heating, ventilation and CO2 that move slowly.

    Observation
        Array (12,): dry weight [kg m-2], CO2 [ppm], air temperature [°C], relative humidity [%]; CO2 supply
        [mg m-2 s-1], ventilation [mm s-1] and heating [W m-2] of the last step; share of the season that is over;
        global radiation [W m-2], CO2 [kg m-3], temperature [°C] and water vapour [kg m-3] outdoors, now. `forecast`:
        number of further half hours whose weather is observed too, exactly as it will be (12 in the published agents).
    Action
        Array (3,) in [-1, 1]: changes of CO2 supply, ventilation and heating, in tenths of their ranges of 1.2 mg m-2
        s-1, 7.5 mm s-1 and 150 W m-2. Actuators stay within these ranges, actions beyond the bounds are clipped. Inside
        `jit`, NaN counts as 0 and `info["action_invalid"]` is True.
    Reward
        "benchmark" [€ m-2]: 22.29 € per kg of dry weight grown, less 0.1281 € per kWh of heat and 0.1906 € per kg of
        CO2, less a penalty at the end of the step: 5e-5 € per ppm of CO2 outside 500 to 1600 ppm, 3e-3 € per °C below
        10 °C, 5e-3 € per °C above 20 °C, 7e-4 € per % of relative humidity above 80 %. "profit": without the penalty;
        or any function of a `reward.Outcome`. `prices`, `limits`: their numbers.
    Costs
        `info["costs"]`: the distances of CO2 [ppm], temperature [°C] and relative humidity [%] from these ranges.
    End
        Terminated after `episode_days`, which is the harvest. Steps after it change nothing and give 0. In weather in
        which the house is far below 3 °C or above 42 °C, the model may give no number; that step changes nothing but
        the actuators and terminates, with `info["left"]` 0 instead of -1 (`env.reason(info)` says so).
    Time
        A step is half an hour, in which controls and weather are held; four steps of RK4 integrate it.
    Start
        A crop of 3.5 g m-2 in air of 15 °C, heated with 50 W m-2. The weather is that of Bleiswijk in 2014, see
        bleiswijk_2014.md. `weather`: "benchmark" is the season from 9 February, on which the literature trains and
        tests; "train" are those from day 80 to 292 of the year, which share no day with it; or other days, 10 to 293.
        Reset draws one of them. The part to test on is "benchmark" in either case. Other weather is the path of a file,
        a name ("SPLIT:PART", a series, "generated:PRESET") or a table, of an hour or less; half hours are means.
    Benchmark and van Henten
        The leakage is a tenth of van Henten's, prices are of today, hard constraints have become penalties, and
        relative humidity is by Magnus's formula. `parameter_overrides={"c_leak": 0.75e-4}` restores van Henten's.
    Baselines
        Those of lettuce-greenhouse-gym 0.1.3, with its returns [€ m-2]: "off" -64.53, "constant" (no change) -73.57,
        "rule-based" (grower's rules) -4.35. The last one is chaotic: with changes of one in a million in what it
        reads, it returns -4.26 on average, with a standard deviation of 0.04. Only in float64 is it -4.35.

    >>> env = Lettuce(forecast=12)
    >>> observation, state = env.reset(jax.random.key(0))
    >>> float(observation[2])
    15.0

    Version history
        v0: first release.
    """

    id: ClassVar[str] = "phytotron/Lettuce-v0"
    differentiable: ClassVar[bool] = True
    plans_ignore: ClassVar[frozenset[str]] = OnWeather.plans_ignore | {"forecast"}
    own_parts: ClassVar[Mapping[str, str]] = {"train": "train", "test": "benchmark"}
    measures = (
        total("profit", "profit", "€ m-2", "profit: lettuce grown less heat and CO2"),
        total("growth", "ΔX_d", "kg m-2", "dry weight grown"),
        total("heat", "∫U_q", "kWh m-2", "heat used"),
        total("co2", "∫U_c", "kg m-2", "CO2 used"),
        total("penalty", "P", "€ m-2", "penalty for leaving the ranges of the climate"),
        *(share_within_bounds(name, words) for name, (words, _) in CONSTRAINTS.items()),
    )

    tunable_rules = cached_property(tunable_rules)

    parameter_overrides: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    reward: str | Reward = "benchmark"
    prices: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    limits: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    forecast: int = 0  # half hours
    weather: WeatherChoice = "benchmark"  # or days of the year on which seasons start
    weather_folder: Path | None = None  # None: $PHYTOTRON_WEATHER
    episode_days: float = 40.0
    precision: str = "float32"

    def __post_init__(self) -> None:
        """Refuse what is wrong now rather than at the first step."""
        check_precision(self.precision)
        if not (isinstance(self.forecast, Integral) and self.forecast >= 0):
            raise ValueRangeError("forecast", self.forecast, "a whole number of half hours")
        if not (isinstance(self.episode_days, Real) and self.episode_steps >= 1):
            raise ValueRangeError("episode_days", self.episode_days, "half an hour at least")
        _ = self.default_params, self._reward

    @cached_property
    def _seasons(self) -> Seasons:
        steps = self.forecast + self.episode_steps
        return choose_seasons(self.weather, self.weather_folder, steps, self.id)

    @cached_property
    def default_params(self) -> LettuceParams:
        return LettuceParams(
            model=as_record(Parameters, self.parameter_overrides),
            prices=as_record(Prices, self.prices),
            limits=as_record(Limits, self.limits),
            weather=jnp.asarray(self._seasons.rows, self.precision),
            start_days=jnp.asarray(self._seasons.days, jnp.int32),
        )

    @cached_property
    def _reward(self) -> Reward:
        return choose_reward(self.reward, REWARDS)

    @property
    def episode_steps(self) -> int:
        return round(self.episode_days * STEPS_PER_DAY)

    @cached_property
    def fields(self) -> Mapping[str, Sequence[Quantity]]:
        now, params = tuple(quantities(Weather)), self.default_params
        later = (
            dataclasses.replace(q, name=f"{q.name}_{ahead}", description=f"{q.description}, {ahead / 2:g} h later")
            for ahead in range(1, self.forecast + 1)
            for q in now
        )
        return {
            "observation": (*quantities(Climate), *quantities(Control), PROGRESS, *now, *later),
            "action": tuple(
                Quantity(f"{q.name}_change", f"Δ{q.symbol}", f"{largest:g} {q.unit}", q.description, -1.0, 1.0)
                for q, largest in zip(quantities(Control), LARGEST_CHANGE, strict=True)
            ),
            "prices": with_values(params.prices),
            "limits": with_values(params.limits),
            "model parameters": with_values(params.model),
        }

    def starts(self, params: LettuceParams | None = None) -> Starts:
        params = self.default_params if params is None else params
        dates = days_after(self._seasons.day_zero, params.start_days)
        return Starts.along(params, "start_days", dates)

    def start_of(self, state: LettuceState) -> str:
        return str(days_after(self._seasons.day_zero, FIRST_DAY + int(state.first_row) // STEPS_PER_DAY))

    def date(self, state: LettuceState) -> np.datetime64:
        half_hours = int(state.first_row) + int(state.step)
        minutes = np.timedelta64(half_hours * MINUTES, "m")
        return np.datetime64(days_after(self._seasons.day_zero, FIRST_DAY) + minutes, "m")

    # The task

    def initial(self, key: Array, params: LettuceParams) -> tuple[Array, LettuceState]:
        day = jax.random.choice(key, jnp.asarray(params.start_days, jnp.int32))
        greenhouse, control = cast((START, START_CONTROL), self.precision)
        row = (day - FIRST_DAY) * STEPS_PER_DAY
        state = LettuceState(greenhouse=greenhouse, control=control, step=jnp.zeros((), jnp.int32), first_row=row)
        return self._observe(state, params), state

    def transition(
        self, key: Array, state: LettuceState, action: Array, params: LettuceParams
    ) -> tuple[Array, LettuceState, Array, Array, Array, Info]:
        over = state.step >= self.episode_steps
        control = self._moved(state.control, action)
        weather = unstack(Weather, params.weather[state.first_row + state.step])
        greenhouse = advance(state.greenhouse, control, weather, cast(params.model, self.precision))
        broken = jnp.any(jnp.isnan(stack(greenhouse)))
        greenhouse = jax.tree.map(lambda new, old: jnp.where(broken, old, new), greenhouse, state.greenhouse)
        made = LettuceState(greenhouse=greenhouse, control=control, step=state.step + 1, first_row=state.first_row)
        after: LettuceState = jax.tree.map(lambda old, new: jnp.where(over, old, new).astype(old.dtype), state, made)

        result = outcome(state.greenhouse, greenhouse, control, params.prices, params.limits)
        result = jax.tree.map(lambda value: jnp.where(over, 0.0, value).astype(self.precision), result)
        reward = jnp.where(over, 0.0, self._reward(result)).astype(self.precision)
        terminated = (after.step >= self.episode_steps) | broken
        info = result._asdict() | {"action_invalid": jnp.any(jnp.isnan(action)), "left": jnp.where(broken, 0, -1)}
        return self._observe(after, params), after, reward, terminated, jnp.zeros_like(terminated), info

    def reason(self, info: Info) -> str:
        """Return the reason of an early end: far below 3 °C or above 42 °C, photosynthesis has a pole (see
        `derivative`).
        """
        return "the model, which holds from 3 to 42 °C, gave no number" if int(info["left"]) >= 0 else ""

    def _moved(self, before: Control, action: Array) -> Control:
        """The actuators after an action."""
        move = jnp.clip(jnp.where(jnp.isnan(action), 0.0, action), -1.0, 1.0).astype(self.precision)
        highest, largest = cast((HIGHEST, LARGEST_CHANGE), self.precision)
        return unstack(Control, jnp.clip(stack(before) + move * largest, 0.0, highest))

    def _observe(self, state: LettuceState, params: LettuceParams) -> Array:
        progress = (state.step / self.episode_steps).astype(self.precision)
        weather = params.weather[state.first_row + state.step + jnp.arange(1 + self.forecast)]
        parts = (stack(Climate.of(state.greenhouse)), stack(state.control), progress[None], weather.ravel())
        return jnp.concatenate(parts).astype(self.precision)

    def action(self, wanted: Control, now: Control) -> Array:
        """Return the action that moves the actuators to wanted positions, or as near to them as one step can."""
        highest, largest = cast((HIGHEST, LARGEST_CHANGE), self.precision)
        move = (jnp.clip(stack(wanted), 0.0, highest) - stack(now)) / largest
        return soft_clip(move).astype(self.precision)

    @property
    def scheduling(self) -> Scheduling:
        """The wanted positions of the actuators, in their units; without a value they stay as they are."""

        def act(wanted: Wanted, state: LettuceState, params: LettuceParams) -> Array:
            held = {q.name: first_known(wanted, q.name, getattr(state.control, q.name)) for q in quantities(Control)}
            return self.action(Control(**held), state.control)

        return Scheduling(tuple(quantities(Control)), act)

    def toward(self, wanted: Array, state: LettuceState) -> Array:
        highest = cast(HIGHEST, self.precision)
        return self.action(unstack(Control, 0.5 * (wanted + 1.0) * highest), state.control)

    def reached(self, action: Array, state: LettuceState) -> Array:
        return 2.0 * stack(self._moved(state.control, action)) / cast(HIGHEST, self.precision) - 1.0

    @property
    def steering(self) -> Steering:
        names, gain = self.observation_space.names, 0.5 * HIGHEST / LARGEST_CHANGE
        return Steering(gain, gain, -1.0 / LARGEST_CHANGE, tuple(names.index(q.name) for q in quantities(Control)))

    # How it is shown

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The recorded channels: the observation before a step, without the forecast; actuators are those of the step
        before.
        """
        grouped = zip(super().channels, GROUPS, strict=False)
        return tuple(dataclasses.replace(channel, group=group) for channel, group in grouped)

    @cached_property
    def data_channels(self) -> tuple[Channel, ...]:
        """The recorded channels with the actuators as they are during a step."""
        positions = {q.name: attrgetter(f"after.control.{q.name}") for q in quantities(Control)}
        shown = (
            dataclasses.replace(each, of=positions[each.name]) if each.group == "control" else each
            for each in self.channels
        )
        return with_state(self, tuple(shown), without=("control",))

    @property
    def baselines(self) -> Mapping[str, Baseline]:
        rules = "grower's rules: proportional control around set-points"
        held = "heating as at the start, nothing else"
        return {
            "rule-based": lambda _: Competitor("rule-based", rules, self, (RuleBased(self),)),
            "constant": lambda _: Competitor("constant", held, self, (Constant(np.zeros(3, self.precision)),)),
        }

    @property
    def presentation(self) -> Presentation:
        limits = self.default_params.limits
        return Presentation(
            "Lettuce greenhouse",
            decides="how much CO2 is supplied, how much is ventilated and how much is heated",
            returns=return_of(self.reward, RETURNS),
            notes=uncharged(self.default_params.prices),
            compare=("rule-based", "off"),
            headline=("return", "growth"),
            resources=("heat", "co2"),
            product="growth",
            costs={name: (f"{words} out of bounds", unit) for name, (words, unit) in CONSTRAINTS.items()},
            day=("temperature", "co2", "relative_humidity", "heating", "ventilation", "co2_supply"),
            bounds={
                "co2": (limits.lowest_co2, limits.highest_co2),
                "temperature": (limits.lowest_temperature, limits.highest_temperature),
                "relative_humidity": (0.0, limits.highest_humidity),
            },
            curves=(("sum of profit", "profit so far", "€ m-2"), ("sum of return", "return so far", "€ m-2")),
            zoomed=("dry_weight", "temperature", "co2", "relative_humidity", "heating", "ventilation"),
            timeline=Timeline(1.0 / STEPS_PER_DAY, 1.0 / STEPS_PER_DAY, at_start=True),
        )
