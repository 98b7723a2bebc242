"""The lettuce greenhouse of van Henten, in the form of the benchmark of van Laatum et al. (2026)."""

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.core.arrays import cast, kept_if, read_only, zero_if
from phytotron.core.environment import Info
from phytotron.core.fields import Quantity, as_record, find, quantities, record, stack, with_values
from phytotron.core.outcomes import share_within_bounds, total
from phytotron.core.presentation import Baseline, Competitor, Presentation
from phytotron.core.tunable import TunableRules
from phytotron.environments.dated_rows import DatedRows, RowWeather, WeatherChoice
from phytotron.environments.lettuce.model import INTERVAL, Climate, Control, Parameters, State, Weather, advance
from phytotron.environments.lettuce.reward import BOUNDS, RETURNS, REWARDS, Limits, Prices, outcome
from phytotron.environments.lettuce.rules import RuleBased, Settings
from phytotron.environments.on_dated_rows import PROGRESS, OnDatedRows
from phytotron.environments.possible_states import last_possible, reason
from phytotron.environments.rewarding import Reward, Rewarded, bounds_of, check_ordered, return_of, uncharged
from phytotron.environments.slow_actuators import SlowActuators, SlowlyActuated
from phytotron.weather.greenhouse_weather import CO2
from phytotron.weather.humid_air import percent_per_density, ppm_per_density, relative_humidity
from phytotron.weather.table import WeatherTable

START = State(dry_weight=0.0035, co2=1e-3, temperature=15.0, humidity=0.008)
START_CONTROL = Control(co2_supply=0.0, ventilation=0.0, heating=50.0)
CROP = find(State, "dry_weight")
SEASONS = {"benchmark": (40,), "train": range(80, 293)}  # days of the year; 1 January is day 1
DARK = 1e-6  # W m-2; less is the noise of the instrument


def rows(table: WeatherTable | Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """Return rows of `Weather` from a table of half hours; without CO2 it is that of the greenhouse's weather."""
    temperature = table["air_temperature"]
    co2 = table["co2"] if "co2" in table else np.full(temperature.shape, CO2)
    measured = "relative_humidity" in table
    humidity = table["relative_humidity"] if measured else relative_humidity(temperature, table["vapour_pressure"])
    vapour = humidity / percent_per_density(temperature)  # kg m-3
    return np.stack([table["global_radiation"], co2 / ppm_per_density(temperature), temperature, vapour], axis=-1)


@cache
def bleiswijk() -> DatedRows:
    """Return the weather of the benchmark, from 10 January to 29 November 2014; see bleiswijk_2014.md."""
    with np.load(Path(__file__).with_name("bleiswijk_2014.npz"), allow_pickle=False) as file:
        table = dict(file)
    table["global_radiation"] = np.where(table["global_radiation"] < DARK, 0.0, table["global_radiation"])
    return DatedRows(read_only(rows(table)), int(INTERVAL), first_day=10, day_zero=np.datetime64("2013-12-31"))


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
class Lettuce(Rewarded, SlowlyActuated[LettuceState, LettuceParams], OnDatedRows[LettuceState, LettuceParams]):
    """Grow lettuce for 40 days at a profit, with heating, ventilation and CO2 that move slowly.

    Observation
        Array (12,): dry weight [kg m-2], CO2 [ppm], air temperature [°C], relative humidity [%]; CO2 supply
        [mg m-2 s-1], ventilation [mm s-1] and heating [W m-2] of the last step; share of the season that is over;
        global radiation [W m-2], CO2 [kg m-3], temperature [°C] and water vapour [kg m-3] outdoors, now. `forecast`:
        number of further half hours whose weather is observed too, exactly as it will be (12 in the published agents).
    Action
        Array (3,) in [-1, 1]: changes of CO2 supply, ventilation and heating, in tenths of their ranges, which they do
        not leave. A step is half an hour. Actions beyond the bounds are clipped. Inside `jit`, NaN counts as 0 and
        `info["action_invalid"]` is True.
    Reward
        "benchmark" [€ m-2]: the worth of the dry weight grown less that of heat and CO2, at `prices`, less a penalty
        for the costs at the end of the step, at the rates in `limits`. "profit": without the penalty; or any function
        of a `reward.Outcome`.
    Costs
        `info["costs"]`: distances of CO2 [ppm], temperature [°C] and relative humidity [%] from the ranges in `limits`.
    End
        Terminated after `episode_days`, which is the harvest. Steps after it change nothing and give 0. A step in which
        the model gives no number, as in extreme weather, changes nothing but the actuators and terminates;
        `info["left"]` has the number of the state then, and -1 otherwise, and `env.reason(info)` names it.
    Start
        A crop of 3.5 g m-2 in air of 15 °C, heated with 50 W m-2, in Bleiswijk in 2014. `weather`: "benchmark" is the
        season from 9 February, on which the literature trains and tests; "train" are those from day 80 to 292 of the
        year, which share no day with it; or other days, 10 to 293. Reset draws one of them. Other weather is the path
        of a file, a name ("SPLIT:PART", "generated:PRESET"), or a table, of an hour or less; half hours are means.
    Benchmark
        That of lettuce-greenhouse-gym 0.1.3; docs/lettuce.md has its returns, and how it differs from van Henten's.

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
    own_parts: ClassVar[Mapping[str, str]] = {"train": "train", "test": "benchmark"}
    actuators: ClassVar[SlowActuators] = SlowActuators(Control, share=0.1)
    row_weather = RowWeather(Weather, int(INTERVAL), rows, bleiswijk, SEASONS)
    rewards: ClassVar[Mapping[str, Reward]] = REWARDS
    measures = (
        total("profit", "profit", "€ m-2", "profit: lettuce grown less heat and CO2"),
        total("growth", "ΔX_d", "kg m-2", "dry weight grown"),
        total("heat", "∫U_q", "kWh m-2", "heat used"),
        total("co2", "∫U_c", "kg m-2", "CO2 used"),
        total("penalty", "P", "€ m-2", "penalty for leaving the ranges of the climate"),
        *(share_within_bounds(q.name, q.description) for q in quantities(Climate)),
    )

    parameter_overrides: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    reward: str | Reward = "benchmark"
    prices: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    limits: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    weather: WeatherChoice = "benchmark"
    episode_days: float = 40.0

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.chosen_reward
        check_ordered("limits", self.default_params.limits, BOUNDS)

    @cached_property
    def default_params(self) -> LettuceParams:
        return LettuceParams(
            model=as_record(Parameters, self.parameter_overrides),
            prices=as_record(Prices, self.prices),
            limits=as_record(Limits, self.limits),
            **self.weather_params,
        )

    @cached_property
    def fields(self) -> Mapping[str, Sequence[Quantity]]:
        params = self.default_params
        return {
            "observation": (CROP, *quantities(Climate), *quantities(Control), PROGRESS, *self.weather_quantities),
            "action": self.actuators.quantities,
            "prices": with_values(params.prices),
            "limits": with_values(params.limits),
            "model parameters": with_values(params.model),
        }

    def initial(self, key: Array, params: LettuceParams) -> tuple[Array, LettuceState]:
        greenhouse, control = cast((START, START_CONTROL), self.precision)
        state = LettuceState(greenhouse=greenhouse, control=control, **self.beginning(key, params))
        return self._observe(state, params), state

    def transition(
        self, key: Array, state: LettuceState, action: Array, params: LettuceParams
    ) -> tuple[Array, LettuceState, Array, Array, Array, Info]:
        over = state.step >= self.episode_steps
        control = self.actuators.moved(state.control, action)
        later = advance(state.greenhouse, control, self.weather_at(state, params), cast(params.model, self.precision))
        greenhouse, left = last_possible(state.greenhouse, later)
        made = LettuceState(greenhouse=greenhouse, control=control, step=state.step + 1, first_row=state.first_row)
        after = kept_if(over, state, made)

        result = cast(outcome(state.greenhouse, greenhouse, control, params.prices, params.limits), self.precision)
        reward = jnp.asarray(self.chosen_reward(result), self.precision)
        result, reward = zero_if(over, (result, reward))
        terminated = (after.step >= self.episode_steps) | (left >= 0)
        info = result._asdict() | {"action_invalid": jnp.any(jnp.isnan(action)), "left": jnp.where(over, -1, left)}
        return self._observe(after, params), after, reward, terminated, jnp.zeros_like(terminated), info

    def _observe(self, state: LettuceState, params: LettuceParams) -> Array:
        crop, climate = state.greenhouse.dry_weight, stack(Climate.of(state.greenhouse))
        parts = (crop, climate, stack(state.control), self.progress(state), self.weather_seen(state, params))
        return jnp.concatenate(jax.tree.map(jnp.atleast_1d, parts)).astype(self.precision)

    def reason(self, info: Info) -> str:
        return reason(State, int(info["left"]))

    @cached_property
    def tunable_rules(self) -> TunableRules:
        settings = tuple(quantities(Settings))
        return TunableRules(settings, lambda set: RuleBased(self, Settings(**set)), ("episode_days", "precision"))

    @property
    def baselines(self) -> Mapping[str, Baseline]:
        note = "grower's rules: proportional control around set-points"
        return {"rule-based": lambda _: Competitor("rule-based", note, self, (RuleBased(self),)), **super().baselines}

    @property
    def presentation(self) -> Presentation:
        return Presentation(
            "Lettuce greenhouse",
            decides="how much CO2 is supplied, how much is ventilated and how much is heated",
            returns=return_of(self.reward, RETURNS),
            notes=uncharged(self.default_params.prices, product="lettuce"),
            compare=("rule-based", "off"),
            headline=("return", "growth"),
            resources=("heat", "co2"),
            product="growth",
            costs={q.name: (f"{q.description} out of bounds", q.unit) for q in quantities(Climate)},
            day=("temperature", "co2", "relative_humidity", "heating", "ventilation", "co2_supply"),
            bounds=bounds_of(self.default_params.limits, BOUNDS),
            curves=(("sum of profit", "profit so far", "€ m-2"), ("sum of return", "return so far", "€ m-2")),
            zoomed=("dry_weight", "temperature", "co2", "relative_humidity", "heating", "ventilation"),
            timeline=self.timeline,
        )
