"""The wheat task on PCSE's own models: LINTUL-3 and WOFOST behind the same observation, action and reward."""

from collections.abc import Mapping, Sequence
from datetime import date
from numbers import Integral
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from phytotron.adapters.sharing import to_gymnasium
from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.fields import replace
from phytotron.core.spaces import Box
from phytotron.environments.field.doses import DOSES, ActionProcessing, Continuous, choose_amounts
from phytotron.environments.field.farming import KG_HA, Limits, RewardParameters, costs
from phytotron.environments.field.observations import CM
from phytotron.environments.field.task import check_interval
from phytotron.environments.observing import Catalogue, ObservationChoice
from phytotron.environments.rewarding import Reward, choose_reward
from phytotron.environments.wheat.observations import OBSERVABLES, PAPER
from phytotron.environments.wheat.reward import Outcome, Prices, cropgym, economic, growth, without_baseline
from phytotron.simulators.pcse.models import PcseModel, choose_model
from phytotron.simulators.pcse.season import Field, Season, days_since_new_year, grain_by_day, on, value
from phytotron.simulators.pcse.weather import check_days, covers, field_days
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.table import WeatherError, WeatherTable

Ladder = tuple[float, ...]
REWARDS = {each.__name__: each for each in (cropgym, without_baseline, growth, economic)}  # without our model's state
# Means over the interval: our column, factor.
MEANS = {
    "irradiation_mean": ("irradiation", 1.0),
    "minimum_temperature_mean": ("minimum_temperature", 1.0),
    "rain_mean": ("rain", CM),
}
FARMING = ("day", "previous_dose", "total_dose", "applications", "previous_irrigation", "total_irrigation")


class PcseEnv(gymnasium.Env[NDArray[np.float32], Any]):
    """Nitrogen, and water if wanted, for a crop of PCSE.

    Observation
        Box of float32, one component per name in `names`: "paper" for those of the nine crop and three weather
        quantities of `WheatNitrogen` that the model has, or any names of `offered`.
    Action
        Discrete: one of `doses` [kg ha-1], and with `irrigation` one of these amounts [mm]; nitrogen counts fastest.
    Reward
        "cropgym": growth of the grain in the interval, less that of a run with neither nitrogen nor irrigation on the
        same weather, less 10 times the nitrogen applied [g m-2]; or another of REWARDS, or a function of an `Outcome`.
    End
        Terminated when the crop comes off the field. Another step is refused.
    Time
        Decisions every `interval` days; the first falls on day `interval` of the season. What is applied enters on the
        next day. `reset` draws one of `year`.

    Whether nitrogen and water arrive in the model is found out once, at construction. It can be pickled and copied.

    >>> env = PcseEnv("lintul3", year=1990, doses=(0, 30, 60))  # doctest: +SKIP
    """

    def __init__(
        self,
        model: str | PcseModel = "lintul3",
        weather: WeatherTable | None = None,
        year: int | Sequence[int] | None = None,
        *,
        doses: Sequence[float] = DOSES,
        irrigation: Sequence[float] | None = None,
        interval: int = 7,
        observation: ObservationChoice = "paper",
        reward: str | Reward = "cropgym",
        reward_parameters: Mapping[str, Any] | None = None,
        prices: Mapping[str, Any] | None = None,
        limits: Mapping[str, Any] | None = None,
        crop: Mapping[str, Any] | None = None,
        soil: Mapping[str, Any] | None = None,
        site: Mapping[str, Any] | None = None,
        start: tuple[int, int] = (1, 1),
        start_type: str = "emergence",
        latest_harvest: tuple[int, int] = (9, 1),
    ) -> None:
        check_interval(interval)
        name, chosen = choose_model(model)
        self.interval = int(interval)
        self._ladders = choose_ladders(name, chosen, doses, irrigation)
        self._reward = choose_reward(reward, REWARDS)
        self._reward_parameters = replace(RewardParameters(), reward_parameters or {})
        self._prices, self._limits = replace(Prices(), prices or {}), replace(Limits(), limits or {})
        days = field_days(embedded_weather("wageningen") if weather is None else weather)
        self.field = Field(name, chosen, days, crop or {}, soil or {}, site or {}, start, start_type, latest_harvest)
        self.years = choose_years(self.field, year)
        self.offered = (*chosen.observables, *MEANS, *FARMING)
        self.names = choose_names(observation, self.offered)
        self.observation_space = to_gymnasium(Box.of(OBSERVABLES[each][0] for each in self.names))
        self.action_space = to_gymnasium(ActionProcessing(*self._ladders).space("float32"))
        self.field.check_variables(self.years[0])
        for treatment, ladder in zip((chosen.nitrogen, chosen.irrigation), self._ladders, strict=True):
            if treatment is not None and ladder is not None and ladder[-1] > 0.0:
                self.field.check_arrival(treatment, ladder[-1], self.years[0])
        self._zero: dict[int, dict[date, float]] = {}
        self._year = self.years[0]
        self._given: list[tuple[float, float]] = []
        self._season: Season | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a season of a year that is drawn at random, and give the first observation and its date."""
        super().reset(seed=seed)
        if options:
            raise PhytotronError(f"reset has no options, but was given {', '.join(map(repr, options))}")
        self._year = int(self.np_random.choice(self.years))
        self._given = []
        self._season = season = self._begun()
        if self._year not in self._zero:
            idle = self.field.season(self._year)
            idle.finish()
            self._zero[self._year] = grain_by_day(idle, self.field.model.grain)
        return self._observe(season), {"date": season.day.isoformat(), "year": self._year}

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Apply what is decided, and simulate up to the next decision or the end of the season."""
        season = self._season
        if season is None:
            raise PhytotronError("call reset before step")
        if season.over:
            raise PhytotronError("the season is over; call reset")
        dose, water = self.decision(action)
        before, grain = season.day, value(season.row, self.field.model.grain)
        self._decide(season, dose, water)
        zero, total = self._zero[self._year], sum(each[0] for each in self._given)
        grown = value(season.row, self.field.model.grain) - grain
        nothing: Any = None  # of what only our own model has
        made: dict[str, Any] = {
            "growth": grown,
            "zero_growth": on(zero, season.day) - on(zero, before),
            "dose": dose / KG_HA,
            "irrigation": water,
            "total_dose": total / KG_HA,
            "zero_grain": on(zero, season.day),
            "terminated": season.over,
        }
        outcome = Outcome(
            **made,
            grain_nitrogen=nothing,
            state=nothing,
            parameters=nothing,
            reward=self._reward_parameters,
            prices=self._prices,
        )
        so_far: Any = self._farming
        exceeded = costs(so_far["total_dose"], so_far["applications"], self._limits)
        info = {
            "costs": {name: float(cost) for name, cost in exceeded.items()},
            "growth": grown,
            "zero_growth": made["zero_growth"],
            "dose": dose,
            "total_dose": total,
            "irrigation": water,
            "day": days_since_new_year(season.day),
            "year": self._year,
            "date": season.day.isoformat(),
        }
        return self._observe(season), float(self._reward(outcome)), season.over, False, info

    def decision(self, action: Any) -> tuple[float, float]:
        """Return nitrogen [kg ha-1] and irrigation [mm] of an action."""
        if not self.action_space.contains(action):
            raise ValueRangeError("action", action, f"a whole number from 0 to {self.action_space.n - 1}")  # type: ignore[attr-defined]
        doses, water = self._ladders
        row, column = divmod(int(action), len(doses))
        return doses[column], 0.0 if water is None else water[row]

    def _begun(self) -> Season:
        season = self.field.season(self._year)
        season.run(self.interval - 1)
        return season

    def _decide(self, season: Season, dose: float, water: float) -> None:
        for treatment, amount in ((self.field.model.nitrogen, dose), (self.field.model.irrigation, water)):
            if treatment is not None:
                season.apply(treatment, amount)
        season.run(self.interval)
        self._given.append((dose, water))

    @property
    def _farming(self) -> dict[str, float]:
        doses, water = ([0.0, *each] for each in zip(*self._given, strict=True)) if self._given else ([0.0], [0.0])
        return {
            "previous_dose": doses[-1],
            "total_dose": sum(doses),
            "applications": float(sum(dose > 0.0 for dose in doses)),
            "previous_irrigation": water[-1],
            "total_irrigation": sum(water),
        }

    def _observe(self, season: Season) -> NDArray[np.float32]:
        values = {name: value(season.row, variable) for name, variable in self.field.model.observables.items()}
        days = self.field.weather
        end = (season.day - days.start.date()).days + 1
        week = slice(max(end - self.interval, 0), end)
        values |= {name: factor * float(np.mean(days[column][week])) for name, (column, factor) in MEANS.items()}
        values |= self._farming | {"day": float(days_since_new_year(season.day))}
        observation = np.array([values[name] for name in self.names], np.float32)
        space: Any = self.observation_space
        return np.clip(observation, space.low, space.high)  # WOFOST's stage is below 0 before emergence

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_season": self._season is not None}  # a run of PCSE cannot be copied, only repeated

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _season=None)
        if state["_season"]:
            season, given = self._begun(), self._given
            self._given = []
            for dose, water in given:
                self._decide(season, dose, water)
            self._season = season


make_pcse = PcseEnv  # as documentation calls it


def choose_ladders(
    name: str, model: PcseModel, doses: Sequence[float], irrigation: Sequence[float] | None
) -> tuple[Ladder, Ladder | None]:
    """Return doses [kg ha-1] and irrigation [mm] to choose from; what the model would ignore is refused."""
    nitrogen = _ladder(doses, "doses")
    water = None if irrigation is None else _ladder(irrigation, "irrigation")
    if model.nitrogen is None and nitrogen[-1] > 0.0:
        raise PhytotronError(f"{name} has no nitrogen balance and would ignore doses; give doses=(0,) or another model")
    if model.irrigation is None and water is not None and water[-1] > 0.0:
        raise PhytotronError(f"{name} takes no irrigation and would ignore it; leave it out or choose another model")
    return nitrogen, water


def _ladder(choice: Any, what: str) -> Ladder:
    ladder = choose_amounts(choice, what)
    if isinstance(ladder, Continuous):
        raise ValueRangeError(what, choice, "a ladder of amounts, such as (0, 20, 40), with a model of PCSE")
    return ladder


def choose_years(field: Field, choice: int | Sequence[int] | None) -> tuple[int, ...]:
    """Return the harvest years whose season lies within the weather; without a choice, all of them."""
    if choice is None:
        possible = range(field.weather.start.year, field.weather.end.year + 1)
        years = tuple(year for year in possible if covers(field.weather, *field.days(year)))
        if not years:
            raise WeatherError(f"{field.weather!r} holds no season from {field.start} to {field.latest_harvest}")
        return years
    years = (choice,) if isinstance(choice, Integral) else tuple(choice)  # type: ignore[arg-type, assignment]
    if not years or not all(isinstance(year, Integral) and 1 < year < 9999 for year in years):
        raise ValueRangeError("year", choice, "a year, or several")
    for year in years:
        check_days(field.weather, *field.days(int(year)))
    return tuple(int(year) for year in years)


def choose_names(choice: ObservationChoice, offered: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the observed quantities: "paper" for those of the paper that there are, or any names or
    symbols.
    """
    catalogue = Catalogue(
        {name: OBSERVABLES[name] for name in offered},
        {"paper": tuple(name for name in PAPER if name in offered)},
        by_symbol=True,
    )
    return tuple(q.name for q in catalogue.choose(choice).quantities)
