"""Two crops of LINTUL-3, each on its own soil, that affect each other now and then, as InterCropGym's paper says.

The paper multiplies numbers of the state by effects (section III F). Several of these are sums or follow from others:
writing them would contradict the rest of the state, or be forgotten the next day. What is done with each:

- WLVG × growth effect: done, and with it leaf area and leaf nitrogen, so that leaves stay what they are.
- WRT, WST, WSO × growth effect: done, with the nitrogen in roots, stems and grain.
- TAGBM × growth effect: follows, as the sum of leaves, dead leaves, stems and grain; dead leaves do not die again.
- TGROWTH × light effect: stays; it sums up what has grown. What is lost is counted in `lost_mass`.
- TRANRF × water effect: follows from soil water and leaf area, every day anew.
- NUPTT × root effect (in the code's other copy × nitrogen effect): stays; it sums up what was taken up. What is lost is
  counted in `lost_nitrogen`.
- NNI × nitrogen effect, kept in 0 to 1: follows from nitrogen and mass of the shoot, whose ratio does not change.
- TNSOIL × nitrogen effect, plus what the neighbour gives (in the code only): what eq. 8 says moves from one soil to the
  other; see `transferred`.

The light, water, nitrogen and root effects act through the growth effect, which is the mean of all five. Carbon and
nitrogen are never created: what a crop loses is counted.
"""

import dataclasses

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import Value
from phytotron.models.intercropping.effects import Effects, Interaction, Neighbour, Pair
from phytotron.models.lintul3 import State

MASSES = ("leaf_mass", "stem_mass", "grain_mass", "root_mass")
NITROGEN = ("leaf_nitrogen", "stem_nitrogen", "grain_nitrogen", "root_nitrogen")


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True, kw_only=True)
class Stand:
    """Both crops, and what has happened between them."""

    crops: tuple[State, State]
    effects: tuple[Effects, Effects]  # at the end of the last interval
    lost_mass: tuple[Array, Array]  # g m-2, that each crop has lost to its neighbour so far
    lost_nitrogen: tuple[Array, Array]  # g{N} m-2, with it
    transferred_nitrogen: Array  # g{N} m-2, from the first crop's soil to the second's so far, less what came back


def new_stand(one: State, two: State) -> Stand:
    """Return two crops that have done nothing to each other yet."""
    none, unaffected = jnp.zeros_like(one.day), jnp.ones_like(one.day)
    effects = Effects(light=unaffected, water=unaffected, nitrogen=unaffected, root=unaffected, biomass=unaffected)
    return Stand(
        crops=(one, two),
        effects=(effects, effects),
        lost_mass=(none, none),
        lost_nitrogen=(none, none),
        transferred_nitrogen=none,
    )


def above_ground_mass(state: State) -> Value:
    """Return TAGBM [g m-2]: leaves, dead ones included, stems and grain."""
    return state.leaf_mass + state.dead_leaf_mass + state.stem_mass + state.grain_mass


def neighbour(state: State, transpiration: Value) -> Neighbour:
    """Return the quantities by which a crop with this transpiration [mm d-1] affects another."""
    return Neighbour(
        leaf_area_index=state.leaf_area_index,
        transpiration=transpiration,
        above_ground_mass=above_ground_mass(state),
        stem_mass=state.stem_mass,
        root_depth=state.root_depth,
        root_mass=state.root_mass,
        nitrogen_uptake=state.nitrogen_uptake,
        soil_nitrogen=state.soil_nitrogen,
    )


def reduced(state: State, growth_effect: Value) -> tuple[State, Value, Value]:
    """Return a crop of which a part is left, and the dry matter and nitrogen that are gone."""
    names = (*MASSES, *NITROGEN)
    left = dataclasses.replace(
        state,
        leaf_area_index=state.leaf_area_index * growth_effect,
        **{name: getattr(state, name) * growth_effect for name in names},
    )
    gone = {name: getattr(state, name) - getattr(left, name) for name in names}
    return left, sum(gone[name] for name in MASSES), sum(gone[name] for name in NITROGEN)


def transferred(transfers: Pair, soils: Pair) -> Value:
    """Return nitrogen [g m-2] that goes from the first soil to the second; negative where it comes back.

    The published code adds the transfer of eq. 8 to the soil that receives it, and multiplies the soil that gives by
    its nitrogen effect, which takes another amount: nitrogen appears or vanishes, and a soil can become negative. Here
    what one soil receives leaves the other, which cannot give more than it has. Eq. 8 is a difference of ratios; that
    it is an amount in g m-2 is the paper's choice.
    """
    there, back = (jnp.clip(amount, 0.0, jnp.maximum(soil, 0.0)) for amount, soil in zip(transfers, soils, strict=True))
    return there - back


def affected(stand: Stand, interaction: Interaction) -> Stand:
    """Return the stand after its crops have affected each other."""
    one, two = stand.crops
    moved = transferred(interaction.transfers, (one.soil_nitrogen, two.soil_nitrogen))
    one = dataclasses.replace(one, soil_nitrogen=one.soil_nitrogen - moved)
    two = dataclasses.replace(two, soil_nitrogen=two.soil_nitrogen + moved)
    first, second = interaction.effects
    one, mass_1, nitrogen_1 = reduced(one, first.growth)
    two, mass_2, nitrogen_2 = reduced(two, second.growth)
    return Stand(
        crops=(one, two),
        effects=interaction.effects,
        lost_mass=(stand.lost_mass[0] + mass_1, stand.lost_mass[1] + mass_2),
        lost_nitrogen=(stand.lost_nitrogen[0] + nitrogen_1, stand.lost_nitrogen[1] + nitrogen_2),
        transferred_nitrogen=stand.transferred_nitrogen + moved,
    )
