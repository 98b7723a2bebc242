"""Nitrogen for two crops that share one field: its light, its water and its nitrogen."""

import dataclasses
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import find
from phytotron.core.outcomes import total
from phytotron.core.presentation import Presentation, channel
from phytotron.environments.field.controllers import SplitPractice
from phytotron.environments.field.doses import ActionProcessing, choose_amounts
from phytotron.environments.field.farming import KG_HA
from phytotron.environments.intercrop import presentation as shown
from phytotron.environments.intercrop.shared_field.interplay import EdgeFactors, EdgeField, FieldFactors, SharedField
from phytotron.environments.intercrop.shared_field.observations import choose_field_observer
from phytotron.environments.intercrop.shared_field.reward import FIELD_REWARDS
from phytotron.environments.intercrop.task import TwoCrops, chosen_crops
from phytotron.environments.intercrop.types import Crops
from phytotron.environments.observing import ObservationChoice, Observer
from phytotron.environments.rewarding import Reward
from phytotron.models.crops import Crop
from phytotron.models.intercropping.stand import FIRST, REVISED, Rules, make_stand
from phytotron.models.lintul3 import Parameters

# Winter rain fills a Dutch soil to field capacity, as far down as roots will reach; the wheat of CropGym instead starts
# on a soil that is dry below its first roots, where a crop that emerges in April finds no water.
WINTER_WET = {"initial_water_content": 0.4, "subsoil_water_content": 0.4}
# The same rain has washed out nitrate: 30 kg ha-1 in January, 57 when spring crops emerge.
WINTER_LEAN = WINTER_WET | {"initial_soil_nitrogen": 3.0}


MEASURES = (
    *shown.MEASURES,
    total("land_equivalent_ratio", "LER", "-", "land that sole crops need for this harvest, per field"),
)
CHANNELS = (
    *(each for each in shown.CHANNELS if not each.name.startswith("soil_nitrogen")),
    channel(
        "soil_nitrogen", "TNSOIL", "kg ha-1", shown.SOIL_NITROGEN, lambda s: KG_HA * s.after.crops[0].soil_nitrogen
    ),
    *shown.of_crops("height", "H", "m", "height", lambda s: s.after.stand.field.height),
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
        v0: first release. Its successor, `phytotron/IntercropField-v1` (`RevisedIntercropField`), has spring wheat
        with faba bean, strips with edges, root zones by crop, and fixation that answers to nitrogen, water and stage.
    """

    id: ClassVar[str] = "phytotron/IntercropField-v0"
    rewards: ClassVar[Mapping[str, Reward]] = FIELD_REWARDS
    factors_record: ClassVar[type[Any]] = FieldFactors
    sharing: ClassVar[type[SharedField]] = SharedField
    rules: ClassVar[Rules] = FIRST
    usual_soil: ClassVar[Mapping[str, float]] = WINTER_WET
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
        return self.sharing(self.layout, self.doses_per_crop, self.rules)

    @cached_property
    def _crops(self) -> Crops:
        soil = {**self.usual_soil, **{find(Parameters, name).name: value for name, value in self.soil.items()}}
        given = chosen_crops(self.crops, revised=self.rules != FIRST)
        one, two = make_stand(given, soil=soil, layout=self.layout).crops
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


OF_NITROGEN = (
    total("fixed_nitrogen", "NFIX", "kg ha-1", "nitrogen fixed from the air"),
    total("residual_nitrogen", "NRES", "kg ha-1", "mineral nitrogen left in the soil"),
    total("residue_nitrogen", "NSTRAW", "kg ha-1", "nitrogen in straw, fallen leaves and roots"),
)


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class RevisedIntercropField(IntercropField):
    """Give spring wheat and faba bean that share a field the nitrogen that they are worth, week by week.

    As `IntercropField`, by revised rules. Each crop drinks from the soil that its own roots reach. A legume's fixation
    answers to mineral nitrogen, soil water and stage. Strips are mixed rows near their edges and sole crops between
    them (`models.intercropping.strips`): narrow ones tend to mixed rows, wide ones to sole crops. Crops have the
    revised values of their files.

    Observation
        Array (61,): of crop 1, then of crop 2, stage, dry matter grown [g m-2], leaf area index, height [m], share of
        the light, nitrogen taken up [g m-2], nitrogen index, transpiration of the day [mm], its reduction, grain
        [g m-2], nitrogen banded to the crop [g m-2]; of the soil, mineral nitrogen [g m-2], water content where crop 1
        has its roots, rooted depth [m], rain since January [mm]; then on each of the seven days before this one global
        radiation [J m-2 d-1], lowest and highest temperature [°C], vapour pressure [hPa] and rain [cm d-1]. All of the
        whole field, also in strips.
    Action
        Discrete(7): 0, 20, ..., 120 kg ha-1 of nitrogen over the field. `doses`: another ladder, or
        `Continuous(largest)` for a Box. `doses_per_crop`: Discrete(49) or a Box (2,), one dose beside the rows of each
        crop, the first counting fastest [kg per ha of the field]; in strips on that crop's land. The sole crops get as
        much per area of their land.
    Reward
        "grain": the sum over both crops of the growth of the grain, less its growth without fertiliser, less beta = 10
        times the dose [g m-2]. Others: see `FIELD_REWARDS`.
    Costs
        `info["costs"]`: nitrogen on the field above `limits` (200 kg ha-1) and applications above it (8), so far.
    End
        Terminated when both crops are ripe, or on 1 September; at Wageningen both are ripe between 4 and 26 August.
        `info` then has the land equivalent ratio, and the nitrogen that was fixed and that is left [kg ha-1].
    Start
        1 January; both crops emerge on 1 April (`factors`: `emergence_1`, `emergence_2`). The first decision falls
        after one interval, on 8 January.
    Field
        As `IntercropField`, but for 30 kg ha-1 of mineral nitrogen at the start, and for `factors` (`EdgeFactors`):
        strips have an `edge_reach`, and `sown_share_1` and `sown_share_2` are there the shares of the land, which add
        up to one.

    >>> import jax
    >>> env = RevisedIntercropField(layout="strips", factors={"strip_width": 3.0})
    >>> observation, state = env.reset(jax.random.key(0))
    >>> int(state.day), observation.shape, env.action_space.n
    (7, (61,), 7)

    Version history
        v1: spring wheat with faba bean, sown together, instead of winter wheat 100 days ahead; 30 instead of 77 kg ha-1
        of mineral nitrogen in January; strips that tend to sole crops when they are wide; root zones by crop; fixation
        by nitrogen, water and stage; revised crops.
    """

    id: ClassVar[str] = "phytotron/IntercropField-v1"
    factors_record: ClassVar[type[Any]] = EdgeFactors
    sharing: ClassVar[type[SharedField]] = EdgeField
    rules: ClassVar[Rules] = REVISED
    usual_soil: ClassVar[Mapping[str, float]] = WINTER_LEAN
    split: ClassVar[SplitPractice] = SplitPractice(80.0, ((4, 5), (5, 10)))
    measures = (*MEASURES, *OF_NITROGEN)

    crops: tuple[str | Crop, str | Crop] = ("spring_wheat", "faba_bean")
    factors: EdgeFactors | Mapping[str, Any] = dataclasses.field(default_factory=dict)  # type: ignore[assignment]

    def __post_init__(self) -> None:
        super().__post_init__()
        factors = self.default_params.factors
        sown = float(factors.sown_share_1 + factors.sown_share_2)
        if self.layout == "strips" and abs(sown - 1.0) > 1e-6:
            raise ValueRangeError("sown_share_1 + sown_share_2", sown, "1 in strips, where they are shares of the land")
