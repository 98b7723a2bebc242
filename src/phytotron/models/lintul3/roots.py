"""Roots: they deepen while the soil is moist, also after flowering, when their mass begins to die."""

from __future__ import annotations

from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.fields import Value
from phytotron.models.lintul3.parameters import Parameters
from phytotron.models.lintul3.states import State


class Roots(NamedTuple):
    deepening: Value  # m d-1, RROOTD
    mass_death: Value  # g m-2 d-1, DRT


def roots(state: State, p: Parameters) -> Roots:
    possible = jnp.minimum(p.root_deepening, p.maximum_root_depth - state.root_depth)
    dying = state.stage >= p.root_death_stage
    return Roots(
        deepening=jnp.where(state.water_content > p.wilting_point, possible, 0.0),
        mass_death=jnp.where(dying, state.root_mass * p.root_death, 0.0),
    )
