"""The lettuce greenhouse of van Henten, in the form of the benchmark of van Laatum et al. (2026)."""

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ClassVar

import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.controllers.base import Constant
from phytotron.core.arrays import cast, check_precision, kept_if, zero_if
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.data_channels import with_state
from phytotron.core.environment import Info
from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import Quantity, as_record, names, quantities, record, stack, unstack, with_values
from phytotron.core.outcomes import share_within_bounds, total
from phytotron.core.presentation import Baseline, Channel, Competitor, Presentation, Timeline
from phytotron.environments.dated_rows import DatedRows, OnDatedRows
from phytotron.environments.lettuce.model import INTERVAL, Climate, Control, Parameters, State, Weather, advance
from phytotron.environments.lettuce.reward import RETURNS, REWARDS, Limits, Prices, outcome
from phytotron.environments.lettuce.rules import RuleBased, tunable_rules
from phytotron.environments.lettuce.weather import WeatherChoice, choose_weather
from phytotron.environments.rewarding import Reward, choose_reward, return_of, uncharged
from phytotron.environments.slow_actuators import SlowActuators, SlowlyActuated

START = State(dry_weight=0.0035, co2=1e-3, temperature=15.0, humidity=0.008)
START_CONTROL = Control(co2_supply=0.0, ventilation=0.0, heating=50.0)
STEPS_PER_DAY = round(SECONDS_PER_DAY / INTERVAL)
PROGRESS = Quantity("progress", "t", "-", "share of the season that is over", 0.0, 1.0)
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
class Lettuce(SlowlyActuated[LettuceState, LettuceParams], OnDatedRows[LettuceState, LettuceParams]):
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

    >>> import jax
    >>> env = Lettuce(forecast=12)
    >>> observation, state = env.reset(jax.random.key(0))
    >>> float(observation[2])
    15.0

    Version history
        v0: first release.
    """

    id: ClassVar[str] = "phytotron/Lettuce-v0"
    differentiable: ClassVar[bool] = True
    plans_ignore: ClassVar[frozenset[str]] = OnDatedRows.plans_ignore | {"forecast"}
    own_parts: ClassVar[Mapping[str, str]] = {"train": "train", "test": "benchmark"}
    actuators: ClassVar[SlowActuators] = SlowActuators(Control, share=0.1)
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
    def dated(self) -> DatedRows:
        return choose_weather(self.weather, self.weather_folder, self.forecast + self.episode_steps, self.id)

    @cached_property
    def default_params(self) -> LettuceParams:
        return LettuceParams(
            model=as_record(Parameters, self.parameter_overrides),
            prices=as_record(Prices, self.prices),
            limits=as_record(Limits, self.limits),
            weather=jnp.asarray(self.dated.rows, self.precision),
            start_days=jnp.asarray(self.dated.days, jnp.int32),
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
            "action": self.actuators.quantities,
            "prices": with_values(params.prices),
            "limits": with_values(params.limits),
            "model parameters": with_values(params.model),
        }

    # The task

    def initial(self, key: Array, params: LettuceParams) -> tuple[Array, LettuceState]:
        greenhouse, control = cast((START, START_CONTROL), self.precision)
        row, step = self.first_row(key, params), jnp.zeros((), jnp.int32)
        state = LettuceState(greenhouse=greenhouse, control=control, step=step, first_row=row)
        return self._observe(state, params), state

    def transition(
        self, key: Array, state: LettuceState, action: Array, params: LettuceParams
    ) -> tuple[Array, LettuceState, Array, Array, Array, Info]:
        over = state.step >= self.episode_steps
        control = self.actuators.moved(state.control, action)
        weather = unstack(Weather, params.weather[state.first_row + state.step])
        greenhouse = advance(state.greenhouse, control, weather, cast(params.model, self.precision))
        broken = jnp.any(jnp.isnan(stack(greenhouse)))
        greenhouse = kept_if(broken, state.greenhouse, greenhouse)
        made = LettuceState(greenhouse=greenhouse, control=control, step=state.step + 1, first_row=state.first_row)
        after = kept_if(over, state, made)

        result = outcome(state.greenhouse, greenhouse, control, params.prices, params.limits)
        result = zero_if(over, cast(result, self.precision))
        reward = zero_if(over, jnp.asarray(self._reward(result), self.precision))
        terminated = (after.step >= self.episode_steps) | broken
        info = result._asdict() | {"action_invalid": jnp.any(jnp.isnan(action)), "left": jnp.where(broken, 0, -1)}
        return self._observe(after, params), after, reward, terminated, jnp.zeros_like(terminated), info

    def reason(self, info: Info) -> str:
        """Return the reason of an early end: far below 3 °C or above 42 °C, photosynthesis has a pole."""
        return "the model, which holds from 3 to 42 °C, gave no number" if int(info["left"]) >= 0 else ""

    def _observe(self, state: LettuceState, params: LettuceParams) -> Array:
        progress = (state.step / self.episode_steps).astype(self.precision)
        weather = params.weather[state.first_row + state.step + jnp.arange(1 + self.forecast)]
        parts = (stack(Climate.of(state.greenhouse)), stack(state.control), progress[None], weather.ravel())
        return jnp.concatenate(parts).astype(self.precision)

    # How it is shown

    @cached_property
    def channels(self) -> tuple[Channel, ...]:
        """The recorded channels: what is observed at the start of a step, without the forecast, and the positions of
        the actuators during it.
        """
        observed = {each.name: each for each in super().channels}
        outdoors = (dataclasses.replace(observed[name], group="weather") for name in names(Weather))
        indoors = (observed[name] for name in names(Climate))
        return (*indoors, *self.actuators.channels("control"), observed[PROGRESS.name], *outdoors)

    @cached_property
    def data_channels(self) -> tuple[Channel, ...]:
        return with_state(self, self.channels, without=("control",))

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
