"""Nitrogen for winter wheat: the task of CropGym (Kallenberg, Overweg, van Bree and Athanasiadis 2023)."""

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.arrays import cast
from phytotron.core.environment import Info
from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.fields import Quantity, as_record, record, with_values
from phytotron.environments.distributions import Distribution, check_randomisation, corners, sample_parameters
from phytotron.environments.field.doses import DOSES, ActionProcessing, Continuous, Decision, choose_amounts
from phytotron.environments.field.farming import KG_HA, Limits, RewardParameters, farmed
from phytotron.environments.field.seasons import check_length, dated, zero_grain
from phytotron.environments.field.task import FieldTask, some_days
from phytotron.environments.observing import Observer
from phytotron.environments.rewarding import Reward
from phytotron.environments.wheat import presentation as shown
from phytotron.environments.wheat.observations import Farming, Measured, Measurement, Situation, choose_observer
from phytotron.environments.wheat.reward import REWARDS, Outcome, Prices
from phytotron.models.crops import PLANT_PARAMETERS, Crop, load_crop
from phytotron.models.lintul3 import (
    DEFAULT_SET,
    Management,
    Parameters,
    State,
    advance,
    initial_state,
    is_over,
    load_parameters,
    override,
)
from phytotron.models.lintul3.parameter_sets import RELATED, check_consistency
from phytotron.weather.field_weather import FieldWeather


@record
class WheatParams:
    """The parameters that may vary between episodes. The season is drawn from `seasons`, which count those of the
    weather.

    `zero_grain` belongs to `model` and `weather`: make both together with `WheatNitrogen.params(...)`.
    """

    model: Parameters
    reward: RewardParameters
    prices: Prices
    limits: Limits
    weather: FieldWeather
    zero_grain: Array  # (seasons, days), g m-2, grain of the run without nitrogen
    seasons: Array


@record
class WheatState:
    """The field on the morning of a decision, the record of doses, and the values drawn for the episode."""

    model: State
    due: Management  # what is applied on this very day; only at daily decisions other than nothing
    farming: Farming
    season: Array  # counts the seasons of the weather
    drawn: dict[str, Array]  # parameters of this episode, where they vary
    zero_grain: dict[str, Array]  # of their run without nitrogen, where they vary: {"grain": (decisions,)}

    @property
    def day(self) -> Array:
        """The days since 1 January, as an integer."""
        return self.model.day.astype(jnp.int32)


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class WheatNitrogen(FieldTask[WheatState, WheatParams]):
    """Give winter wheat the nitrogen that it is worth, week by week, from January to the harvest.

    Observation
        Array (12,): development stage, dry matter grown [g m-2], leaf area index, nitrogen taken up [g m-2],
        transpiration of the day [mm], mineral nitrogen in the soil [g m-2], rain since January [mm], transpiration
        reduction, grain [g m-2]; means over the last week of global radiation [J m-2 d-1], lowest temperature [°C] and
        rain [cm d-1]. `observation`: "raw" (30,), the same crop quantities and the three of the weather on each of the
        seven days, as CropGym's code has it; or any list of names and symbols in `observations.OBSERVABLES`, of its
        groups ("paper", "crop", "farming", "state", "weather", "mean"), and of observers.
    Action
        Discrete(3): 0, 20 or 40 kg ha-1 of nitrogen. `doses`: another ladder, or `Continuous(largest)` for a Box (1,)
        in kg ha-1. `irrigation`: a second ladder or `Continuous`, in mm. `measurement`: see `Measurement`.
        Choices of ladders count nitrogen fastest. Values beyond a Box are clipped; inside `jit`, NaN counts as 0 and
        `info["action_invalid"]` is True.
    Reward
        "cropgym": growth of the grain in the interval, less that of a run without nitrogen (and irrigation) on the same
        weather, less beta = 10 times the nitrogen applied [g m-2]. The return is the grain at harvest less that
        without nitrogen less beta times all nitrogen. Others: see `reward.REWARDS`, `WeightedSum`, or any function of
        an `Outcome`. `reward_parameters`, `prices`: their numbers.
    Costs
        `info["costs"]`: nitrogen above `limits` (200 kg ha-1) and applications above it (8), of the season so far.
    End
        Terminated at maturity or on 1 September; the last interval may be shorter. A dose of the last interval is
        charged, whether or not the crop still gets it. Steps after the end change nothing and give 0.
    Time
        Decisions fall on day 7 of the year and every `interval` days from there (first after one interval). What is
        applied enters the next day and can be taken up on the day after that.
    Start
        1 January, the crop having emerged. Reset draws a season from those that `weather` offers: "SPLIT:PART" (by
        default the embedded training years of Wageningen), "generated:PRESET", tables, or a `FieldWeather`; `years`
        narrows down the choice. `randomise`: parameters to draw anew in every episode, e.g. {"TNSOILI": Uniform(2, 15),
        "WCI": Uniform(0.2, 0.4)}; the run without nitrogen is then made at every reset.
    Crop
        `crop`: another than the wheat of `parameters`, by name, by the path of its file, or as a `Crop`; soil and site
        stay those of `parameters`. It has emerged on 1 January, as winter crops have.
    Paper and code
        Where the paper and the code it came with differ, docs/wheat.md says what is done.

    >>> env = WheatNitrogen(doses=(0, 30, 60))
    >>> observation, state = env.reset(jax.random.key(0))
    >>> float(state.model.day)
    6.0

    Version history
        v0: first release.
    """

    id: ClassVar[str] = "phytotron/WheatNitrogen-v0"
    rewards: ClassVar[Mapping[str, Reward]] = REWARDS
    measures = shown.MEASURES
    channels = shown.CHANNELS
    baselines = cached_property(shown.baselines)
    presentation = cached_property(shown.presentation)
    tunable_rules = cached_property(shown.tunable_rules)

    parameters: str | Parameters = DEFAULT_SET
    crop: str | Path | Crop | None = None  # None: the wheat of the parameters
    parameter_overrides: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    randomise: Mapping[str, Distribution] = dataclasses.field(default_factory=dict)
    doses: Sequence[float] | Continuous = DOSES  # kg ha-1
    irrigation: Sequence[float] | Continuous | None = None  # mm
    measurement: Measurement | None = None
    reward: str | Reward = "cropgym"
    prices: Prices | Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.irrigation is not None and np.any(np.asarray(self._parameters.irrigation_by_farmer) < 0.5):
            raise PhytotronError("these parameters ignore irrigation; set irrigation_by_farmer to 1, or leave it out")
        super().__post_init__()

    @property
    def plans_ignore(self) -> frozenset[str]:  # type: ignore[override]
        """The options that plans do not depend on. `crop` is one of them unless it is set, so that older plans stay
        valid.
        """
        return FieldTask.plans_ignore | (frozenset({"crop"}) if self.crop is None else frozenset())

    # Choices, from a name or an object

    @cached_property
    def default_params(self) -> WheatParams:
        weather, model = self.seasons, self._parameters
        allowed = np.max(np.asarray(model.latest_harvest))
        if "latest_harvest" in self._randomise:
            allowed = max(self._randomise["latest_harvest"].extremes(allowed))
        latest = np.asarray(dated(dataclasses.replace(model, latest_harvest=allowed), weather.leap).latest_harvest)
        device = self._held(latest)
        padded = device.padded()
        grain, harvest = _zero_grain(padded.values, dated(cast(model, self.precision), padded.leap))
        grain, harvest = grain[: device.seasons, : device.days], harvest[: device.seasons]
        check_length(weather, latest if self._randomise else np.asarray(harvest), "the season")
        return WheatParams(
            model=model,
            reward=as_record(RewardParameters, self.reward_parameters),
            prices=as_record(Prices, self.prices),
            limits=as_record(Limits, self.limits),
            weather=device,
            zero_grain=grain,
            seasons=jnp.arange(device.seasons, dtype=jnp.int32),
        )

    def params(self, model: Parameters | None = None, **changes: Any) -> WheatParams:
        """Return the default parameters with another model, including its run without nitrogen, or with other changes.

        `grad` and `vmap` go through it. The weather has to last until the harvest of the other model.
        """
        params = dataclasses.replace(self.default_params, **changes)
        if model is None:
            return params
        grain, _ = zero_grain(params.weather.values, dated(cast(model, self.precision), params.weather.leap))
        return dataclasses.replace(params, model=model, zero_grain=grain)

    @cached_property
    def _parameters(self) -> Parameters:
        named = load_parameters(self.parameters) if isinstance(self.parameters, str) else self.parameters
        if not isinstance(named, Parameters):
            raise ValueRangeError("parameters", named, "the name of a parameter set, or Parameters")
        if self.crop is not None:
            plant = (self.crop if isinstance(self.crop, Crop) else load_crop(self.crop)).plant
            named = dataclasses.replace(named, **{name: getattr(plant, name) for name in PLANT_PARAMETERS})
        return override(named, self.parameter_overrides)

    @cached_property
    def processing(self) -> ActionProcessing:
        """Return the conversion of actions to amounts."""
        water = None if self.irrigation is None else choose_amounts(self.irrigation, "irrigation")
        return ActionProcessing(choose_amounts(self.doses, "doses"), water, self._asked)

    @property
    def _asked(self) -> bool:
        """Return whether the action says if the crop is measured."""
        return self.measurement is not None and self.measurement.optional

    @cached_property
    def observer(self) -> Observer:
        chosen = choose_observer(self.observation, self.interval)
        return chosen if self.measurement is None else Measured(chosen, self.measurement)

    @cached_property
    def _randomise(self) -> dict[str, Distribution]:
        checked = check_randomisation(self.randomise, self._parameters)
        check_consistency(corners(checked, self._parameters, RELATED), "randomised Parameters")
        return checked

    @property
    def first_day(self) -> int:
        """The day of the first decision, one day earlier than in other tasks: the published program asks before the
        last day of an interval.
        """
        return self.interval - 1

    # Documentation

    @property
    def fields(self) -> Mapping[str, Sequence[Quantity]]:
        params = self.default_params
        return {
            **super().fields,
            "prices": with_values(params.prices),
            "model parameters": with_values(params.model),
        }

    # The task

    def initial(self, key: Array, params: WheatParams) -> tuple[Array, WheatState]:
        season_key, drawn_key, observation_key = jax.random.split(key, 3)
        season = jax.random.choice(season_key, jnp.asarray(params.seasons, jnp.int32))
        drawn, zero_grain = self._draw(drawn_key, season, params)
        parameters = self._parameters_of(season, drawn, params)
        nothing = jnp.zeros((), self.precision)
        management = Management(nitrogen=nothing, irrigation=nothing)
        start, grow = initial_state(parameters, self.precision), partial(advance, parameters=parameters)
        days = params.weather.window(season, jnp.zeros((), jnp.int32), self.interval)
        state = WheatState(
            model=some_days(start, days[: self.interval - 1], management, management, grow),
            due=management,
            farming=dataclasses.replace(Farming.none(self.precision), measured=jnp.ones((), self.precision)),
            season=season,
            drawn=drawn,
            zero_grain=zero_grain,
        )
        return self._observe(observation_key, state, parameters, params), state

    def _draw(self, key: Array, season: Array, params: WheatParams) -> tuple[dict[str, Array], dict[str, Array]]:
        """Parameters of an episode, where they vary, and the grain of the season that they give without nitrogen."""
        drawn = sample_parameters(key, self._randomise, params.model, self.precision)
        if not drawn:
            return drawn, {}
        daily = zero_grain(params.weather.values[season], self._parameters_of(season, drawn, params))[0]
        return drawn, {"grain": daily[self.interval - 1 :: self.interval]}

    def supposed(self, key: Array, state: WheatState, params: WheatParams) -> WheatState:
        drawn, zero_grain = self._draw(key, state.season, params)
        return dataclasses.replace(state, drawn=drawn, zero_grain=zero_grain)

    def transition(
        self, key: Array, state: WheatState, action: Array, params: WheatParams
    ) -> tuple[Array, WheatState, Array, Array, Array, Info]:
        parameters = self._parameters_of(state.season, state.drawn, params)
        over = is_over(state.model, parameters)
        wanted = self.processing.decision(action, self.precision)
        decision = Decision(*(jnp.where(over, 0.0, each) for each in wanted))
        farming = farmed(
            state.farming,
            over,
            decision.nitrogen,
            irrigation=decision.irrigation,
            total_irrigation=state.farming.total_irrigation + decision.irrigation,
            measured=decision.measure if self._asked else jnp.ones_like(decision.measure),
        )
        applied = Management(nitrogen=decision.nitrogen / KG_HA, irrigation=decision.irrigation)

        days = params.weather.window(state.season, state.day, self.interval)
        model = some_days(state.model, days, state.due, applied, partial(advance, parameters=parameters))
        later = jax.tree.map(jnp.zeros_like, applied) if self.interval > 1 else applied
        after = dataclasses.replace(state, model=model, due=later, farming=farming)

        terminated = is_over(model, parameters)
        truncated = ~terminated & (model.day + 1 >= params.weather.length[state.season])
        zero_before, zero_after = (self._zero_grain_on(each.day, state, params) for each in (state.model, model))
        outcome = Outcome(
            growth=model.grain_mass - state.model.grain_mass,
            zero_growth=zero_after - zero_before,
            dose=applied.nitrogen,
            irrigation=applied.irrigation,
            total_dose=farming.total_dose / KG_HA,
            grain_nitrogen=model.grain_nitrogen - state.model.grain_nitrogen,
            zero_grain=zero_after,
            terminated=terminated,
            state=model,
            parameters=parameters,
            reward=params.reward,
            prices=params.prices,
        )
        paid = (self.measurement.price if self.measurement and self._asked else 0.0) * decision.measure
        reward = jnp.where(over, 0.0, self.chosen_reward(outcome) - paid).astype(self.precision)
        info = {
            **self._info(after, action, outcome, params),
            "dose": decision.nitrogen,
            "irrigation": decision.irrigation,
            "measurement_cost": paid,
            "day": model.day,
        }
        return self._observe(key, after, parameters, params), after, reward, terminated, truncated, info

    def _zero_grain_on(self, day: Array, state: WheatState, params: WheatParams) -> Array:
        """Grain of the run without nitrogen on the day of a decision, or on the last one of the season."""
        number = day.astype(jnp.int32)
        if state.drawn:
            return state.zero_grain["grain"][number // self.interval]
        return params.zero_grain[state.season, number]

    def _parameters_of(self, season: Array, drawn: dict[str, Array], params: WheatParams) -> Parameters:
        model = dataclasses.replace(params.model, **drawn)
        return dated(cast(model, self.precision), params.weather.leap[season])

    def _observe(self, key: Array, state: WheatState, parameters: Parameters, params: WheatParams) -> Array:
        first = state.day - (self.interval - 1)
        days = params.weather.window(state.season, first, self.interval)
        situation = Situation(state.model, days, state.farming, parameters, key)
        return self.observer.observe(situation).astype(self.precision)


_zero_grain = jax.jit(zero_grain)
