"""The effects of two neighbours on each other's growth: the five effects of InterCropGym.

Equations 1 to 17 of the paper, as its published code computes them where the two differ:

- eq. 3 repeats eq. 2 (shading on crop 2); meant is the shading on crop 1, with leaf areas exchanged and 1 - T for T;
- eq. 7 has the uptake of crop 1 in both ratios; meant is each crop's own;
- eq. 9 has a factor of its own, which does not exist; the effect is 1 - beta times what the crop gives away;
- eq. 10 defines an overlap of the roots that no other equation uses; it multiplies gamma in eq. 14.

The paper says that all effects lie between 0 and 1. That of nitrogen does not: in depleted soil the ratio of eq. 7 has
no upper limit. `published_effects` has the numbers of the code, `effects` bounds them, `printed_effects` has eq. 9 as
printed.

The crops cannot be exchanged: with x = WST1 / WST2, the shading uses tanh(x) for one crop and 1 - tanh(x) for the
other, and 1 - tanh(x) is not tanh(1 / x). With light = 0 everything else is symmetric.
"""

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp

from phytotron.core.fields import Value, fraction, quantity, record
from phytotron.models.lintul3.arithmetic import ratio

EVENLY = 0.5  # each crop's share where there is nothing to share


@record
class Factors:
    """The strengths of the effects of neighbours on each other; at 0 an effect is switched off."""

    light: Value = fraction("alpha", "share of growth lost in full shade", default=0.15)
    water: Value = fraction("psi", "share of growth lost to a neighbour that takes all water", default=0.10)
    nitrogen: Value = fraction(
        "beta", "nitrogen transferred per difference of uptake ratios, and strength of its effect", default=0.05
    )
    root: Value = fraction("gamma", "share of growth lost to a neighbour that has all the roots", default=0.08)
    biomass: Value = fraction("delta", "share of growth lost to a neighbour that has all the biomass", default=0.12)
    small: Value = quantity("eps", "as the divisor", "added to divisors", default=1e-6, low=1e-12, high=1.0)


class Neighbour(NamedTuple):
    """The quantities of one crop that affect the other."""

    leaf_area_index: Value  # m2 m-2, LAI
    transpiration: Value  # mm d-1, TRAN
    above_ground_mass: Value  # g m-2, TAGBM, dead leaves included
    stem_mass: Value  # g m-2, WST
    root_depth: Value  # m, ROOTD
    root_mass: Value  # g m-2, WRT
    nitrogen_uptake: Value  # g m-2 since the start, NUPTT
    soil_nitrogen: Value  # g m-2, TNSOIL


Pair = tuple[Value, Value]  # of the first and of the second crop


@record
class Effects:
    """The effects on one crop: 1 leaves its growth as it is."""

    light: Value = quantity("light_effect", "-", "of shade")
    water: Value = quantity("water_effect", "-", "of what the neighbour transpires")
    nitrogen: Value = quantity("nitrogen_effect", "-", "of the nitrogen that the crop gives away")
    root: Value = quantity("root_effect", "-", "of the neighbour's roots")
    biomass: Value = quantity("biomass_effect", "-", "of the neighbour's size")

    @property
    def growth(self) -> Value:
        """Their mean (eq. 17)."""
        return (self.light + self.water + self.nitrogen + self.root + self.biomass) / 5.0


class Interaction(NamedTuple):
    """The effects on both crops, and what they were made of."""

    effects: tuple[Effects, Effects]
    taller: Value  # eq. 1, the first crop against the second
    water_shares: Pair  # eq. 5
    uptake_ratios: Pair  # eq. 7
    transfers: Pair  # g{N} m-2, eq. 8: from the first to the second, and back
    overlap: Value  # eq. 10
    root_shares: Pair  # eq. 13
    mass_shares: Pair  # eq. 15


def shares(parts: Pair) -> Pair:
    """Return each value as a share of the sum of both; a half each where the sum is zero."""
    whole = parts[0] + parts[1]
    return ratio(parts[0], whole, EVENLY), ratio(parts[1], whole, EVENLY)


def sigmoid(x: Value) -> Value:
    """Return 1 / (1 + exp(-x))."""
    return 1.0 / (1.0 + jnp.exp(-x))


def shading(one: Neighbour, two: Neighbour, f: Factors) -> tuple[Pair, Value]:
    """Return the shade on each crop (eq. 2, 3), and the taller-crop factor (eq. 1)."""
    taller = jnp.tanh(one.stem_mass / (two.stem_mass + f.small))
    difference = 2.0 * (one.leaf_area_index - two.leaf_area_index)
    return (f.light * sigmoid(-difference) * (1.0 - taller), f.light * sigmoid(difference) * taller), taller


def water_competition(one: Neighbour, two: Neighbour) -> Pair:
    """Return each crop's share of the transpiration times its share of the rooted soil (eq. 5)."""
    rooted = (one.root_depth * one.root_mass, two.root_depth * two.root_mass)
    transpired = (one.transpiration, two.transpiration)
    nothing = (rooted[0] + rooted[1] == 0.0) | (transpired[0] + transpired[1] == 0.0)
    both = zip(shares(transpired), shares(rooted), strict=True)
    first, second = (jnp.where(nothing, EVENLY, of_water * of_roots) for of_water, of_roots in both)
    return first, second


def nitrogen_transfers(one: Neighbour, two: Neighbour, f: Factors) -> tuple[Pair, Pair]:
    """Return the ratios of uptake to nitrogen left in the soil (eq. 7), and the transfers to the neighbour (eq. 8).

    The crop with the larger ratio transfers nitrogen to the other.
    """
    first, second = (each.nitrogen_uptake / (each.soil_nitrogen + f.small) for each in (one, two))
    there, back = (jnp.maximum(0.0, f.nitrogen * more) for more in (first - second, second - first))
    return (first, second), (there, back)


def root_competition(one: Neighbour, two: Neighbour, f: Factors) -> tuple[Value, Pair]:
    """Return the overlap of the rooted depths (eq. 10), and each crop's share of the root density (eq. 11 to 13)."""
    shallower = jnp.minimum(one.root_depth, two.root_depth)
    overlap = ratio(shallower, jnp.maximum(one.root_depth, two.root_depth), 1.0)
    first, second = (each.root_mass / (each.root_depth + f.small) for each in (one, two))
    return overlap, shares((first, second))


def published_effects(one: Neighbour, two: Neighbour, factors: Factors) -> Interaction:
    """Return the effects as the published code has them: the nitrogen effect has no lower limit."""
    f = factors
    shade, taller = shading(one, two, f)
    water = water_competition(one, two)
    ratios, transfers = nitrogen_transfers(one, two, f)
    overlap, roots = root_competition(one, two, f)
    masses = shares((one.above_ground_mass, two.above_ground_mass))
    first, second = (
        Effects(
            light=1.0 - shade[crop],
            water=1.0 - f.water * (1.0 - water[crop]),
            nitrogen=1.0 - f.nitrogen * transfers[crop],
            root=1.0 - f.root * overlap * (1.0 - roots[crop]),
            biomass=1.0 - f.biomass * (1.0 - masses[crop]),
        )
        for crop in (0, 1)
    )
    return Interaction((first, second), taller, water, ratios, transfers, overlap, roots, masses)


def effects(one: Neighbour, two: Neighbour, factors: Factors) -> Interaction:
    """Return the same, every effect between 0, complete suppression, and 1, none, as the paper says they are.

    For the nitrogen effect to be that, a transfer counts up to 1, as eq. 9 takes for granted in writing 1 - transfer.
    So at most beta is lost. Cutting off the effect at 0 instead would kill every crop that has emptied its soil.
    """
    found = published_effects(one, two, factors)
    return with_nitrogen(found, *(1.0 - factors.nitrogen * jnp.minimum(1.0, each) for each in found.transfers))


def printed_effects(one: Neighbour, two: Neighbour, factors: Factors) -> Interaction:
    """Return the effects with eq. 9 as it is printed, its factor being beta: 1 - beta (1 - transfer), of a transfer of
    up to 1.

    So the effect of nitrogen has the form and the range of the others. A crop that gives nothing away feels it most.
    """
    found = published_effects(one, two, factors)
    return with_nitrogen(found, *(1.0 - factors.nitrogen * (1.0 - jnp.minimum(1.0, each)) for each in found.transfers))


def with_nitrogen(found: Interaction, first: Value, second: Value) -> Interaction:
    """Return the effects with other effects of nitrogen, and all effects between 0 and 1."""
    pairs = zip(found.effects, (first, second), strict=True)
    changed = (dataclasses.replace(each, nitrogen=effect) for each, effect in pairs)
    one, two = (jax.tree.map(lambda effect: jnp.clip(effect, 0.0, 1.0), each) for each in changed)
    return found._replace(effects=(one, two))
