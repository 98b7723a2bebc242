"""Two crops beside each other: the task of InterCropGym."""

import dataclasses
from collections.abc import Callable, Hashable, Mapping
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.core.presentation import Presentation
from phytotron.environments.intercrop import presentation as shown
from phytotron.environments.intercrop.interplay import Interplay, Neighbours
from phytotron.environments.intercrop.observations import OBSERVABLES, named_observers
from phytotron.environments.intercrop.published import PublishedCode
from phytotron.environments.intercrop.reward import REWARDS
from phytotron.environments.intercrop.task import TwoCrops
from phytotron.environments.observing import Observer
from phytotron.environments.rewarding import Reward
from phytotron.models.intercropping.effects import Factors, effects, printed_effects

INTERACTIONS: Mapping[str, Callable[..., Interplay]] = MappingProxyType(
    {
        "paper": partial(Neighbours, effects),
        "printed": partial(Neighbours, printed_effects),
        "none": partial(Neighbours, None),
        "published_code": PublishedCode,
    }
)
ENDS = ("either", "both")


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Intercrop(TwoCrops):
    """Give two crops that affect each other the nitrogen that they are worth, week by week.

    Each crop is one of LINTUL-3 with its own soil, water and nitrogen, and full light, as in InterCropGym's paper; the
    effects of `models.intercropping` are all that is between them. For crops that share light, water and nitrogen see
    `IntercropField`.

    Observation
        Array (71,): 18 quantities of crop 1, the same of crop 2 (`observations.CropObservation`: stage, growth, leaf
        area, nitrogen uptake, transpiration of the day, ...; masses and nitrogen in g m-2, water in mm), then on each
        of the seven days before this one global radiation [J m-2 d-1], lowest and highest temperature [°C], vapour
        pressure [hPa] and rain [cm d-1]. `observation`: "raw" (106,), with the weather once for each crop, as the
        published code has it; or any list of names in `observations.OBSERVABLES`, of groups ("crops", "weather",
        "farming", "states") and of observers.
    Action
        Discrete(7): 0, 20, ..., 120 kg ha-1 of nitrogen for each of the two crops, so twice that in all. `doses`:
        another ladder, or `Continuous(largest)` for a Box (1,).
    Reward
        "intercropgym": the sum over both crops of the growth of the grain, less its growth if neither were fertilised,
        less beta = 10 times the dose [g m-2]. What a crop loses to its neighbour counts as negative growth. Others: see
        `reward.REWARDS`, `WeightedSum`, or any function of an `Outcome`.
    Costs
        `info["costs"]`: nitrogen per crop above `limits` (200 kg ha-1) and applications above it (8), so far.
    Step
        As in the paper: both crops get the dose and grow for a week (pre-step); the effects are computed from both
        states and change them (update); then reward and end (step). What is applied enters the day after the decision.
    Interaction
        "paper": the growth effect multiplies leaves, stems, roots and grain of both crops, once per interval in which
        both stand; see `models.intercropping.neighbours` for each equation of the paper. "printed": the same with eq. 9
        as it is printed. "none": two crops that do not know of each other.
        "published_code": the effects change only what is observed and rewarded, which is what the published code does;
        see `published.published_code`. The shading of the paper is not symmetric: exchanging the crops changes the
        result, unless `factors` has light = 0. Or an `Interplay` of one's own.
    End
        Terminated when either crop is mature (DVS 2) or on 1 September. With `ends="both"`, when both are: the first
        one is harvested and from then on neither affects the other nor gets affected. A mature crop stands still. Steps
        after the end change nothing and give 0.
    Start
        1 January; both crops have emerged, or do so on the days `emergence` (since 1 January), before which they and
        their soil stay as they are. The first decision falls after one interval, on 8 January. Reset draws a season
        from those that `weather` offers, as for `WheatNitrogen`.
    Paper and code
        Where the paper and the code it came with differ, docs/intercrop.md says what is done.

    >>> env = Intercrop(crops=("winter_wheat", "winter_wheat"), factors={"light": 0.2})
    >>> observation, state = env.reset(jax.random.key(0))
    >>> int(state.day), observation.shape
    (7, (71,))

    Version history
        v0: first release.
    """

    id: ClassVar[str] = "phytotron/Intercrop-v0"
    rewards: ClassVar[Mapping[str, Reward]] = REWARDS
    factors_record: ClassVar[type[Any]] = Factors

    reward: str | Reward = "intercropgym"
    interaction: str | Interplay = "paper"
    factors: Factors | Mapping[str, Any] = dataclasses.field(default_factory=dict)
    ends: str = "either"
    emergence: tuple[float, float] = (0.0, 0.0)  # d since 1 January

    def __post_init__(self) -> None:
        if isinstance(self.interaction, str) and self.interaction not in INTERACTIONS:
            raise UnknownNameError("interaction", self.interaction, INTERACTIONS)
        if not isinstance(self.interaction, Hashable):
            raise ValueRangeError("interaction", self.interaction, "hashable; @dataclass(frozen=True) makes it so")
        if self.ends not in ENDS:
            raise UnknownNameError("ends", self.ends, ENDS)
        days = np.asarray(self.emergence, object)
        numbers = all(isinstance(each, int | float) and 0 <= each <= 365 for each in days.ravel().tolist())
        if days.shape != (2,) or not numbers:
            raise ValueRangeError("emergence", self.emergence, "two days since 1 January, 0 to 365")
        super().__post_init__()

    @cached_property
    def interplay(self) -> Interplay:
        if not isinstance(self.interaction, str):
            return self.interaction
        one, two = self.emergence
        return INTERACTIONS[self.interaction](emergence=(one, two), ends=self.ends)

    @cached_property
    def observer(self) -> Observer:
        return OBSERVABLES.choose(self.observation, named_observers(OBSERVABLES, self.interval))

    @property
    def presentation(self) -> Presentation:
        return shown.presentation(self, "{} beside {}".format(*shown.crop_words(self)).capitalize())
