"""Where growth goes: by development stage, more to the roots in drought, less to the leaves without nitrogen."""

from __future__ import annotations

from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.fields import Value
from phytotron.models.lintul3.arithmetic import ratio
from phytotron.models.lintul3.nitrogen import NitrogenStatus
from phytotron.models.lintul3.parameters import Parameters
from phytotron.models.lintul3.states import State


class Shares(NamedTuple):
    """Of the day's growth; they add up to one."""

    root: Value  # FRT
    leaf: Value  # FLV
    stem: Value  # FST
    grain: Value  # FSO


def partitioning(state: State, water_reduction: Value, status: NitrogenStatus, p: Parameters) -> Shares:
    """The scarcer of water and nitrogen shifts growth; in severe early drought the roots' share exceeds one."""
    root, leaf = p.root_share(state.stage), p.leaf_share(state.stage)
    stem, grain = p.stem_share(state.stage), p.grain_share(state.stage)

    more_root = root * jnp.maximum(1.0, 1.0 / (water_reduction + 0.5))
    rest_of_root = ratio(1.0 - more_root, 1.0 - root)
    less_leaf = leaf * jnp.exp(-p.leaf_share_nitrogen_effect * (1.0 - status.index))
    rest_of_leaf = ratio(1.0 - less_leaf, 1.0 - leaf)

    thirsty = water_reduction < status.growth_reduction
    return Shares(
        root=jnp.where(thirsty, more_root, rest_of_leaf * root),
        leaf=jnp.where(thirsty, rest_of_root * leaf, less_leaf),
        stem=jnp.where(thirsty, rest_of_root, rest_of_leaf) * stem,
        grain=jnp.where(thirsty, rest_of_root, rest_of_leaf) * grain,
    )


def remobilisation(state: State, stage_rate: Value, p: Parameters) -> Value:
    """Stem mass that becomes grain [g m-2 d-1], after flowering (Kallenberg et al. 2023)."""
    moved = state.stem_mass * stage_rate * p.stem_remobilisation
    return jnp.where(state.stage > p.translocation_stage, moved, 0.0)
