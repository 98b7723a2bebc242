"""Nitrogen: how much the crop has against what it needs, what it takes from the soil, what it moves to the grain."""

from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.fields import Value
from phytotron.models.lintul3.arithmetic import ratio
from phytotron.models.lintul3.parameters import Parameters
from phytotron.models.lintul3.states import Management, State

LEAST_INDEX = 0.001


class NitrogenStatus(NamedTuple):
    """The nitrogen status of a crop."""

    index: Value  # -, NNI: 1 with enough nitrogen, near 0 without
    growth_reduction: Value  # -, NRF


class Organs(NamedTuple):
    """An amount per organ."""

    leaf: Value
    stem: Value
    root: Value

    @property
    def total(self) -> Value:
        """The sum over leaves, stems and roots."""
        return self.leaf + self.stem + self.root


class Uptake(NamedTuple):
    """Nitrogen that comes into the crop, in g{N} m-2 d-1."""

    organs: Organs  # from the soil and from the air, by where it goes
    fixed: Value  # the part from the air, by legumes

    @property
    def from_soil(self) -> Value:
        """The nitrogen that comes from the soil [g{N} m-2 d-1], without what was fixed from the air."""
        return self.organs.total - self.fixed


class NitrogenFlows(NamedTuple):
    """All in g{N} m-2 d-1."""

    uptake: Uptake
    translocated: Organs  # to the grain
    leaf_loss: Value
    root_loss: Value
    fertiliser: Value  # FERTNS, what reaches the soil of it
    mineralisation: Value


def maximum_contents(state: State, p: Parameters) -> Organs:
    """Return the largest nitrogen contents [g g-1] at this stage."""
    leaf = p.maximum_leaf_nitrogen(state.stage)
    return Organs(leaf=leaf, stem=p.stem_nitrogen_ratio * leaf, root=p.root_nitrogen_ratio * leaf)


def nitrogen_status(state: State, p: Parameters) -> NitrogenStatus:
    """Return the nitrogen status of a crop.

    The index is 1 for a shoot without mass, where the published formula divides by zero.
    """
    shoot = state.leaf_mass + state.stem_mass
    largest = maximum_contents(state, p)
    residual = state.leaf_mass * p.residual_leaf_nitrogen + state.stem_mass * p.residual_stem_nitrogen
    residual = ratio(residual, shoot)
    critical = p.critical_nitrogen * ratio(largest.leaf * state.leaf_mass + largest.stem * state.stem_mass, shoot)
    actual = ratio(state.leaf_nitrogen + state.stem_nitrogen, shoot)
    index = jnp.clip(ratio(actual - residual, critical - residual, otherwise=1.0), LEAST_INDEX, 1.0)
    return NitrogenStatus(index=index, growth_reduction=jnp.exp(-p.light_use_nitrogen_effect * (1.0 - index)))


def translocatable(state: State, p: Parameters) -> Organs:
    """Return nitrogen [g m-2] that organs could give to the grain; that of the roots may be negative."""
    leaf = jnp.maximum(0.0, state.leaf_nitrogen - state.leaf_mass * p.residual_leaf_nitrogen)
    stem = jnp.maximum(0.0, state.stem_nitrogen - state.stem_mass * p.residual_stem_nitrogen)
    of_root = state.root_nitrogen - state.root_mass * p.residual_root_nitrogen
    return Organs(leaf=leaf, stem=stem, root=jnp.minimum(p.root_translocation * (leaf + stem), of_root))


def shared_out(amount: Value, by: Organs) -> Organs:
    """Return an amount split between organs in proportion."""
    part = ratio(amount, by.total)
    return Organs(leaf=part * by.leaf, stem=part * by.stem, root=part * by.root)


def demand(state: State, p: Parameters) -> Organs:
    """Return the nitrogen that each organ lacks [g m-2].

    Nothing where it cannot take up nitrogen, in dry soil and towards maturity.
    """
    largest = maximum_contents(state, p)
    lacking = Organs(
        leaf=jnp.maximum(0.0, largest.leaf * state.leaf_mass - state.leaf_nitrogen),
        stem=jnp.maximum(0.0, largest.stem * state.stem_mass - state.stem_nitrogen),
        root=jnp.maximum(0.0, largest.root * state.root_mass - state.root_nitrogen),
    )
    can_take = (state.stage < p.last_uptake_stage) & (state.water_content >= p.wilting_point)
    return Organs(*(jnp.where(can_take, each, 0.0) for each in lacking))


def uptake(state: State, available: Value, p: Parameters) -> Uptake:
    """Return the uptake of nitrogen, without limit to its rate: the crop takes what it lacks, or all that there is in
    the soil (NUPTR).

    Legumes fix a share of what they lack, as in WOFOST 8.1, and take the rest from the soil.
    """
    lacking = demand(state, p)
    fixed = p.nitrogen_fixation * lacking.total
    taken = jnp.maximum(0.0, jnp.minimum(lacking.total - fixed, available))
    return Uptake(shared_out(taken + fixed, lacking), fixed)


def translocation(state: State, p: Parameters) -> Organs:
    """Return nitrogen on its way to the grain, by organ; RNSO is their sum."""
    wanted = jnp.maximum(0.0, p.maximum_grain_nitrogen * state.grain_mass - state.grain_nitrogen) / p.translocation_time
    available = translocatable(state, p)
    supply = jnp.where(state.stage > p.translocation_stage, available.total / p.translocation_time, 0.0)
    return shared_out(jnp.minimum(wanted, supply), available)


def nitrogen_flows(
    state: State, management: Management, taken: Uptake, leaf_death: Value, root_death: Value, p: Parameters
) -> NitrogenFlows:
    """Return the flows of nitrogen in a day. The deaths of leaves and roots are in g m-2 d-1."""
    return NitrogenFlows(
        uptake=taken,
        translocated=translocation(state, p),
        leaf_loss=p.residual_leaf_nitrogen * leaf_death,
        root_loss=p.residual_root_nitrogen * root_death,
        fertiliser=management.nitrogen * p.nitrogen_recovery,
        mineralisation=p.mineralisation,
    )
