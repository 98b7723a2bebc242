"""Nitrogen for two crops that share one field: its light, its water and its nitrogen."""

import dataclasses
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from phytotron.core.fields import find
from phytotron.core.outcomes import total
from phytotron.core.presentation import Presentation, channel
from phytotron.environments.field.doses import ActionProcessing, choose_amounts
from phytotron.environments.field.farming import KG_HA
from phytotron.environments.intercrop import presentation as shown
from phytotron.environments.intercrop.shared_field.interplay import FieldFactors, SharedField
from phytotron.environments.intercrop.shared_field.observations import choose_field_observer
from phytotron.environments.intercrop.shared_field.reward import FIELD_REWARDS
from phytotron.environments.intercrop.task import TwoCrops, chosen_crops
from phytotron.environments.intercrop.types import Crops
from phytotron.environments.observing import ObservationChoice, Observer
from phytotron.environments.rewarding import Reward
from phytotron.models.intercropping.stand import make_stand
from phytotron.models.lintul3 import Parameters

# Winter rain fills a Dutch soil to field capacity, as far down as roots will reach; the wheat of CropGym instead starts
# on a soil that is dry below its first roots, where a crop that emerges in April finds no water.
WINTER_WET = {"initial_water_content": 0.4, "subsoil_water_content": 0.4}


MEASURES = (
    *shown.MEASURES,
    total("land_equivalent_ratio", "LER", "-", "land that sole crops need for this harvest, per field"),
)
CHANNELS = (
    *(each for each in shown.CHANNELS if not each.name.startswith("soil_nitrogen")),
    channel(
        "soil_nitrogen", "TNSOIL", "kg ha-1", shown.SOIL_NITROGEN, lambda s: KG_HA * s.after.crops[0].soil_nitrogen
    ),
    *shown.of_crops("height", "H", "m", "height", lambda s: s.after.stand.fields.height),
    *shown.of_crops(
        "land_equivalent", "LE", "-", "grain per that of the sole crop", lambda s: s.info["land_equivalents"]
    ),
)


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class IntercropField(TwoCrops):
    """Give two crops that share a field the nitrogen that they are worth, week by week.

    The crops are two of LINTUL-3 on one soil. Day by day they share the light by leaf area and height, the water by
    demand, the mineral nitrogen by access; a legume fixes most of its own (`models.intercropping`). Beside the field,
    each crop grows alone, at full density, on the same weather and soil and with the same doses: the land equivalent
    ratio (LER) is the sum over both crops of the grain of the field per grain of the sole crop.

    Observation
        Array (61,): of crop 1, then of crop 2, stage, dry matter grown [g m-2], leaf area index, height [m], share of
        the light, nitrogen taken up [g m-2], nitrogen index, transpiration of the day [mm], its reduction, grain
        [g m-2], nitrogen banded to the crop [g m-2]; of the soil, mineral nitrogen [g m-2], water content, rooted depth
        [m], rain since January [mm]; then on each of the seven days before this one global radiation [J m-2 d-1],
        lowest and highest temperature [°C], vapour pressure [hPa] and rain [cm d-1]. `observation`: any list of names
        in `shared_field.observations.FIELD_OBSERVABLES`, of the groups of `Intercrop`, and of observers.
    Action
        Discrete(7): 0, 20, ..., 120 kg ha-1 of nitrogen over the field. `doses`: another ladder, or
        `Continuous(largest)` for a Box. `doses_per_crop`: Discrete(49) or a Box (2,), one dose beside the rows of each
        crop, the first counting fastest; only that crop reaches it until it has spread, with a time constant of two
        weeks.
    Reward
        "grain": the sum over both crops of the growth of the grain, less its growth without fertiliser, less beta = 10
        times the dose [g m-2]. "land_equivalent_ratio": the LER, at the end. Others: see `FIELD_REWARDS`,
        `WeightedFieldSum`, or any function of an `Outcome`. `info["rewards"]` (2,): what comes from each crop, for
        two decision makers (see `adapters.pettingzoo`).
    Costs
        `info["costs"]`: nitrogen on the field above `limits` (200 kg ha-1) and applications above it (8), so far.
    End
        Terminated when both crops are mature, or on 1 September; a mature crop is harvested, and leaves light, water
        and nitrogen to the other. Steps after the end change nothing and give 0.
    Start
        1 January; the first decision falls after one interval, on 8 January. What is applied enters the day after the
        decision. Reset draws a season from those that `weather` offers, as for `WheatNitrogen`.
    Field
        `soil`: parameters of the soil and the site, by name or symbol, for the pair and the sole crops; without, those
        of the first crop, with water up to field capacity at the start. `factors`: emergence and density of the crops,
        and how they share the field (`FieldFactors`). `layout`: "mixed" rows or "strips" of equal width.

    >>> import jax
    >>> env = IntercropField(crops=("winter_wheat", "faba_bean"), doses_per_crop=True)
    >>> observation, state = env.reset(jax.random.key(0))
    >>> int(state.day), observation.shape, env.action_space.n
    (7, (61,), 49)

    Version history
        v0: first release.
    """

    id: ClassVar[str] = "phytotron/IntercropField-v0"
    rewards: ClassVar[Mapping[str, Reward]] = FIELD_REWARDS
    factors_record: ClassVar[type[Any]] = FieldFactors
    measures = MEASURES
    channels = CHANNELS

    reward: str | Reward = "grain"
    observation: ObservationChoice = "field"
    doses_per_crop: bool = False
    soil: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    factors: FieldFactors | Mapping[str, Any] = dataclasses.field(default_factory=dict)
    layout: str = "mixed"

    @cached_property
    def interplay(self) -> SharedField:
        return SharedField(self.layout, self.doses_per_crop)

    @cached_property
    def _crops(self) -> Crops:
        soil = WINTER_WET | {find(Parameters, name).name: value for name, value in self.soil.items()}
        one, two = make_stand(chosen_crops(self.crops), soil=soil, layout=self.layout).crops
        return one, two

    @cached_property
    def processing(self) -> ActionProcessing:
        return ActionProcessing(choose_amounts(self.doses, "doses"), per_crop=self.doses_per_crop)

    @cached_property
    def observer(self) -> Observer:
        return choose_field_observer(self.observation, self.interval)

    @property
    def presentation(self) -> Presentation:
        title = "{} and {} on one field".format(*shown.crop_words(self)).capitalize()
        return shown.presentation(self, title, headline=("return", "yield", "land_equivalent_ratio"))
