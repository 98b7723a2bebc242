"""What a season is to come to, and what it has come to so far."""

from __future__ import annotations

from dataclasses import dataclass

import jax
from jax import Array

from phytotron.core.fields import Value, quantity, record


@record
class Targets:
    """Of the season; one that is 0 is not asked for, except that no harvest then comes cheap enough."""

    fruit: Value = quantity("target_yield", "kg m-2", "fresh fruit of the season", default=0.0, low=0.0)
    energy_per_fruit: Value = quantity(
        "target_yield_unit_energy_input", "MJ kg-1", "energy of the season per fruit", default=0.0, low=0.0
    )
    harvest_energy_per_fruit: Value = quantity(
        "target_harvest_unit_energy_input", "MJ kg-1", "energy since the harvest began per fruit", default=0.0, low=0.0
    )


@jax.tree_util.register_dataclass
@dataclass(frozen=True, kw_only=True)
class Season:
    """Per square metre of floor."""

    energy: Array  # MJ, of lamps and boilers
    growth_energy: Array  # MJ, up to the last step without harvest
    fruit: Array  # kg, fresh, harvested
    reward: Array  # sum of all rewards
    harvest_steps: Array  # steps of the season that were left then
