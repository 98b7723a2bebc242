"""The growth of two crops and the interaction between them: the part in which the tasks of two crops differ."""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.arrays import kept_if
from phytotron.core.environment import Info
from phytotron.environments.field.seasons import dated
from phytotron.environments.intercrop.observations import GrowingCrop, observe_sole_crop
from phytotron.environments.intercrop.reward import Outcome
from phytotron.environments.intercrop.types import Crops, Season
from phytotron.models.intercropping.effects import Factors, Interaction, Neighbour
from phytotron.models.intercropping.neighbours import Stand, affected, neighbour, new_stand
from phytotron.models.lintul3 import Management, State, Weather, advance, initial_state, is_over
from phytotron.models.lintul3.water import transpiration

EffectsOf = Callable[[Neighbour, Neighbour, Factors], Interaction]
Pair = tuple[Array, Array]


class Interplay(ABC):
    """A description of what a day does to a stand of two crops, and of their interaction at the end of an interval.

    A stand is a pytree with `crops`, a pair of states of LINTUL-3. An interplay is hashable, as frozen dataclasses are;
    equal ones share compiled functions.
    """

    plots: ClassVar[float]  # how often a dose is paid: 2.0 where each crop has a field, 1.0 where they share one

    @abstractmethod
    def emerge(self, season: Season, precision: str) -> Any:
        """Return the stand on 1 January."""

    @abstractmethod
    def one_day(self, stand: Any, today: Weather, dose: Array, season: Season) -> Any:
        """Return the stand one day later, with a dose [g m-2] in the form of `by_crop`."""

    def by_crop(self, dose: Array) -> Array:
        """Return the dose of each crop [kg ha-1] from the dose that was decided; one number where all plots get the
        same.
        """
        return dose

    def total(self, dose: Array) -> Array:
        """Return the nitrogen given to a plot [kg ha-1], from the doses by crop."""
        return dose

    def interact(self, before: Any, after: Any, today: Weather, season: Season) -> Any:
        """Return the stand at the end of an interval, after the interaction.

        `before` and `after` are the stands at its beginning and at its end, `today` is the day that begins.
        """
        return after

    def look(self, stand: Any, today: Weather, season: Season) -> tuple[GrowingCrop, GrowingCrop]:
        """Return the observations of the two crops."""
        rows = zip(stand.crops, season.crops, strict=True)
        one, two = (observe_sole_crop(state, today, crop.plant) for state, crop in rows)
        return one, two

    def growth(self, before: Any, after: Any) -> Pair:
        """Return the growth of the grain of each crop in an interval [g m-2]."""
        one, two = (later.grain_mass - now.grain_mass for now, later in zip(before.crops, after.crops, strict=True))
        return one, two

    @abstractmethod
    def ended(self, stand: Any, day: Array, season: Season) -> Pair:
        """Return whether the season is over (terminated), and whether only its weather has ended (truncated)."""

    def last_day(self, crops: Crops, leap: Any) -> Any:
        """Return the day since 1 January, by season, on which crops that do not ripen are harvested at the latest."""
        one, two = (np.asarray(dated(crop.plant, leap).latest_harvest) for crop in crops)
        return np.maximum(one, two)

    def first_observed(self, day: Array, interval: int) -> Array:
        """Return the first day of the weather that is observed on a day."""
        return day - interval

    def info(self, outcome: Outcome) -> Info:
        """Return the entries of `info` that other tasks do not have."""
        return {}


@dataclasses.dataclass(frozen=True)
class Neighbours(Interplay):
    """Two crops with separate soils that affect each other once per interval in which both stand, as in the paper.

    `effects`: None for no interaction. `emergence`: the days since 1 January before which a crop and its soil do not
    change. `ends`: whether the season ends with "either" crop or with "both".
    """

    plots: ClassVar[float] = 2.0

    effects: EffectsOf | None
    emergence: tuple[float, float] = (0.0, 0.0)
    ends: str = "either"

    def emerge(self, season: Season, precision: str) -> Stand:
        one, two = (initial_state(crop.plant, precision) for crop in season.crops)
        return new_stand(one, two)

    def one_day(self, stand: Stand, today: Weather, dose: Array, season: Season) -> Stand:
        management = Management(nitrogen=dose)
        rows = zip(stand.crops, season.crops, self.emergence, strict=True)
        one, two = (self._grown(state, today, management, crop.plant, first) for state, crop, first in rows)
        return dataclasses.replace(stand, crops=(one, two))

    def _grown(self, state: State, today: Weather, management: Management, plant: Any, emergence: float) -> State:
        later = advance(state, today, management, plant)
        if not emergence:
            return later
        waiting = dataclasses.replace(state, day=state.day + 1.0)
        return kept_if(state.day < emergence, waiting, later)

    def look(self, stand: Stand, today: Weather, season: Season) -> tuple[GrowingCrop, GrowingCrop]:
        rows = zip(stand.crops, season.crops, self.emergence, strict=True)
        one, two = (
            observe_sole_crop(state, today, crop.plant, ~is_over(state, crop.plant) & (state.day >= emerged))
            for state, crop, emerged in rows
        )
        return one, two

    def _found(self, effects_of: EffectsOf, stand: Stand, today: Weather, season: Season) -> Interaction:
        rows = zip(stand.crops, season.crops, strict=True)
        one, two = (neighbour(state, transpiration(state, today, crop.plant).actual) for state, crop in rows)
        return effects_of(one, two, season.factors)

    def interact(self, before: Stand, after: Stand, today: Weather, season: Season) -> Stand:
        if self.effects is None:
            return after
        found = self._found(self.effects, after, today, season)
        standing = zip(before.crops, season.crops, self.emergence, strict=True)
        first, second = (~is_over(state, crop.plant) & (state.day >= emerged) for state, crop, emerged in standing)
        return kept_if(~(first & second), after, affected(after, found))

    def ended(self, stand: Stand, day: Array, season: Season) -> Pair:
        one, two = (is_over(state, crop.plant) for state, crop in zip(stand.crops, season.crops, strict=True))
        terminated = one | two if self.ends == "either" else one & two
        return terminated, ~terminated & season.weather_ends(day)

    def info(self, outcome: Outcome) -> Info:
        stand = outcome.stand
        return {
            "growth_effect": jnp.stack([each.growth for each in stand.effects]),
            "lost_mass": jnp.stack(stand.lost_mass),
        }
