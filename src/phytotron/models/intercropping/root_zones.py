"""Water uptake by crop from the soil that its own roots reach, of two layers of the soil of LINTUL-3.

The upper layer is what the roots of all standing crops reach, the lower one goes on to the deepest roots. A crop drinks
from the layers it reaches, in proportion to the water above the wilting point there. What drains from the upper layer
enters the lower one. Where the border moves, water moves with the soil. A field of one crop has no lower layer, and is
that of LINTUL-3. That a seedling has its own depth and not its neighbour's is the point; two layers are the fewest
that allow it, and the layers themselves are LINTUL-3's.
"""

import dataclasses
from typing import NamedTuple, cast

import jax.numpy as jnp
from jax import Array

from phytotron.models.intercropping.stand import FieldState, LayeredGround, Rows
from phytotron.models.lintul3 import Management, State, Weather
from phytotron.models.lintul3.arithmetic import ratio
from phytotron.models.lintul3.water import MILLIMETRES, Transpiration, WaterFlows, water_flows


class Layers(NamedTuple):
    """A quantity of the upper and of the lower layer."""

    upper: Array
    lower: Array

    @property
    def total(self) -> Array:
        """The sum over both layers."""
        return self.upper + self.lower


def ground_of(state: FieldState) -> LayeredGround:
    """Return the ground of a field with root zones."""
    return cast(LayeredGround, state.ground)


def layers(state: FieldState) -> Layers:
    """Return the water of the layers [mm]."""
    lower = jnp.asarray(ground_of(state).lower_water)
    return Layers(state.plants.soil_water - lower, lower)


def available(state: FieldState, rows: Rows) -> Layers:
    """Return the water above the wilting point [mm]."""
    ground, held = ground_of(state), layers(state)
    wilted = rows.plants.wilting_point * MILLIMETRES
    upper = jnp.maximum(0.0, held.upper - wilted * ground.upper_depth)
    return Layers(upper, jnp.maximum(0.0, held.lower - wilted * (ground.depth - ground.upper_depth)))


def drawn(state: FieldState, wanted: Array, rows: Rows) -> Layers:
    """Return the water that each crop takes from the layers [mm d-1], of the amount that it wants.

    Where a layer is short, all get the same part.
    """
    left = available(state, rows)
    deep = state.plants.root_depth > ground_of(state).upper_depth
    from_upper = jnp.where(deep, ratio(left.upper, left.total, otherwise=1.0), 1.0)
    asked = Layers(wanted * from_upper, wanted * (1.0 - from_upper))
    return Layers(
        *(
            each * jnp.minimum(1.0, ratio(there, rows.of_field(each), otherwise=1.0))
            for each, there in zip(asked, left, strict=True)
        )
    )


class NextSoil(NamedTuple):
    """The soil of the next morning."""

    flows: WaterFlows  # of the whole soil
    depth: Array  # m
    upper_depth: Array  # m
    water: Layers  # mm
    content: Array  # m3 m-3, of the soil that each crop reaches


def next_layers(
    state: FieldState,
    grown: State,
    there: Array,
    weather: Weather,
    irrigation: Management,
    drunk: Transpiration,
    taken: Layers,
    rows: Rows,
) -> NextSoil:
    """Return the soil after the flows of the day.

    `there` tells which crops stand on the next morning, `grown` how deep their roots are.
    """
    p, ground, held = rows.plants, ground_of(state), layers(state)
    reached = jnp.where(there, grown.root_depth, 0.0)
    depth = jnp.maximum(ground.depth, jnp.maximum(reached, rows.other(reached)))
    own = jnp.where(there, grown.root_depth, depth)
    border = jnp.minimum(own, rows.other(own, alone=jnp.inf))

    top = dataclasses.replace(state.plants, root_depth=ground.upper_depth, soil_water=held.upper)
    from_upper, from_lower = (rows.of_field(each) for each in taken)
    flows = water_flows(top, weather, irrigation, drunk._replace(actual=from_upper), 0.0, p)
    upper = held.upper + flows.change
    wet = held.lower - from_lower + flows.drainage
    capacity = p.field_capacity * MILLIMETRES * (ground.depth - ground.upper_depth)
    drainage = jnp.clip(wet - capacity, 0.0, p.maximum_drainage)
    explored = MILLIMETRES * (depth - ground.depth) * p.subsoil_water_content
    lower = wet - drainage + explored

    step = border - ground.upper_depth
    up = lower * ratio(jnp.maximum(step, 0.0), depth - ground.upper_depth)
    down = upper * ratio(jnp.maximum(-step, 0.0), ground.upper_depth)
    water = Layers(upper + up - down, lower - up + down)
    deep = there & (grown.root_depth > border)
    return NextSoil(
        flows=flows._replace(drainage=drainage, explored=explored, transpiration=from_upper + from_lower),
        depth=depth,
        upper_depth=border,
        water=water,
        content=jnp.where(deep, ratio(water.total, depth), ratio(water.upper, border)) / MILLIMETRES,
    )


def first_layers(ground: dict[str, Array]) -> LayeredGround:
    """Return a ground of one layer, as long as no crop or one stands."""
    none = jnp.zeros_like(ground["depth"])
    return LayeredGround(**ground, upper_depth=ground["depth"], lower_water=none)
