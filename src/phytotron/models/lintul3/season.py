"""A day and a season: the rates of all processes at the state of the morning, added once per day (Euler).

The published program gives, for each day, the state before that day's growth and the rates of that day; so do `season`
and `Season`. What is applied on a day enters the rates of that day: fertiliser can be taken up from the next day on.
"""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.arrays import kept_if
from phytotron.core.fields import Value, names
from phytotron.models.lintul3.growth import (
    Development,
    Growth,
    Shares,
    development,
    growth,
    intercepted_share,
    is_mature,
    next_stage,
    partitioning,
    remobilisation,
)
from phytotron.models.lintul3.nitrogen import (
    NitrogenFlows,
    NitrogenStatus,
    Uptake,
    nitrogen_flows,
    nitrogen_status,
    uptake,
)
from phytotron.models.lintul3.organs import Leaves, Roots, initial_leaf_area, leaves, roots
from phytotron.models.lintul3.parameter_sets import check_inputs
from phytotron.models.lintul3.parameters import Parameters
from phytotron.models.lintul3.states import Management, State, Weather
from phytotron.models.lintul3.tables import Table
from phytotron.models.lintul3.water import MILLIMETRES, Transpiration, WaterFlows, transpiration, water_flows


class Processes(NamedTuple):
    """All that happens on one day."""

    development: Development
    transpiration: Transpiration
    status: NitrogenStatus
    shares: Shares
    growth: Growth
    leaves: Leaves
    roots: Roots
    remobilisation: Value  # g m-2 d-1, from stem to grain
    nitrogen: NitrogenFlows
    water: WaterFlows


class Season(NamedTuple):
    """Days along the first axis."""

    states: State  # on the morning of each day; those after the last repeat it
    processes: Processes  # of each day
    growing: Array  # whether the crop stood on the field that day; the day of the harvest is the last


def batch_shape(parameters: Parameters) -> tuple[int, ...]:
    """Return the shape that the parameters of a batch of fields have in common."""
    values = (getattr(parameters, name) for name in names(Parameters))
    shapes = (jnp.shape(each.x)[:-1] if isinstance(each, Table) else jnp.shape(each) for each in values)
    return jnp.broadcast_shapes(*shapes)


def initial_state(parameters: Parameters, dtype: Any = None) -> State:
    """Return the field on the first morning; with parameters of a batch of fields, their states.

    The soil has its water, but the published water content is zero until it is first computed from it: nothing
    transpires, grows or is taken up on the first day.
    """
    p, shape = parameters, batch_shape(parameters)
    precision = jnp.result_type(float) if dtype is None else dtype
    start = {
        "stage": p.initial_stage,
        "leaf_area_index": initial_leaf_area(p),
        "root_depth": p.initial_root_depth,
        "leaf_mass": p.initial_leaf_mass,
        "stem_mass": p.initial_stem_mass,
        "grain_mass": p.initial_grain_mass,
        "root_mass": p.initial_root_mass,
        "leaf_nitrogen": p.initial_leaf_nitrogen * p.initial_leaf_mass,
        "stem_nitrogen": p.initial_stem_nitrogen * p.initial_stem_mass,
        "root_nitrogen": p.initial_root_nitrogen * p.initial_root_mass,
        "soil_nitrogen": p.initial_soil_nitrogen,
        "soil_water": MILLIMETRES * p.initial_root_depth * p.initial_water_content,
    }
    return State(
        **{name: jnp.broadcast_to(jnp.asarray(start.get(name, 0.0), precision), shape) for name in names(State)}
    )


def is_over(state: State, parameters: Parameters) -> Array:
    """Return whether the crop is mature or its latest day of harvest has come."""
    return is_mature(state.stage, parameters) | (state.day >= parameters.latest_harvest)


class Supply(NamedTuple):
    """The light, water and nitrogen that a crop gets on one day."""

    intercepted: Value  # share of the light
    transpiration: Transpiration
    uptake: Uptake


def sole_supply(state: State, weather: Weather, parameters: Parameters) -> Supply:
    """Return the supply of a crop that has the field to itself."""
    return Supply(
        intercepted_share(state, parameters),
        transpiration(state, weather, parameters),
        uptake(state, state.soil_nitrogen, parameters),
    )


def processes(
    state: State, weather: Weather, management: Management, parameters: Parameters, supply: Supply | None = None
) -> Processes:
    """Return all processes of one day, at the state of its morning; without a `supply`, those of a sole crop."""
    p = parameters
    intercepted, drunk, taken = sole_supply(state, weather, p) if supply is None else supply
    stage = development(state, weather, p)
    status = nitrogen_status(state, p)
    shares = partitioning(state, drunk.reduction, status, p)
    grown = growth(weather, intercepted, drunk.reduction, status.growth_reduction, p)
    foliage = leaves(state, weather, shares.leaf * grown.dry_matter, drunk.reduction, status.index, p)
    below = roots(state, p)
    return Processes(
        development=stage,
        transpiration=drunk,
        status=status,
        shares=shares,
        growth=grown,
        leaves=foliage,
        roots=below,
        remobilisation=remobilisation(state, stage.stage, p),
        nitrogen=nitrogen_flows(state, management, taken, foliage.mass_death, below.mass_death, p),
        water=water_flows(state, weather, management, drunk, below.deepening, p),
    )


def next_morning(state: State, day: Processes, parameters: Parameters) -> State:
    """Return the state equations: what the day has changed."""
    grown, leaf, root, n, water = day.growth.dry_matter, day.leaves, day.roots, day.nitrogen, day.water
    taken = n.uptake.organs
    root_depth = state.root_depth + root.deepening
    soil_water = state.soil_water + water.change
    return State(
        day=state.day + 1.0,
        stage=next_stage(state.stage, day.development.stage, parameters),
        temperature_sum=state.temperature_sum + day.development.temperature_sum,
        leaf_area_index=state.leaf_area_index + (leaf.area_growth - leaf.area_death),
        root_depth=root_depth,
        leaf_mass=state.leaf_mass + (day.shares.leaf * grown - leaf.mass_death),
        dead_leaf_mass=state.dead_leaf_mass + leaf.mass_death,
        stem_mass=state.stem_mass + (day.shares.stem * grown - day.remobilisation),
        grain_mass=state.grain_mass + (day.shares.grain * grown + day.remobilisation),
        root_mass=state.root_mass + (day.shares.root * grown - root.mass_death),
        dead_root_mass=state.dead_root_mass + root.mass_death,
        leaf_nitrogen=state.leaf_nitrogen + (taken.leaf - n.translocated.leaf - n.leaf_loss),
        stem_nitrogen=state.stem_nitrogen + (taken.stem - n.translocated.stem),
        root_nitrogen=state.root_nitrogen + (taken.root - n.translocated.root - n.root_loss),
        grain_nitrogen=state.grain_nitrogen + n.translocated.total,
        soil_nitrogen=state.soil_nitrogen + (n.fertiliser - n.uptake.from_soil + n.mineralisation),
        soil_water=soil_water,
        water_content=soil_water / (MILLIMETRES * root_depth),
        dry_days=water.dry_days,
        total_growth=state.total_growth + grown,
        light_sum=state.light_sum + day.growth.light,
        nitrogen_uptake=state.nitrogen_uptake + n.uptake.from_soil,
        fixed_nitrogen=state.fixed_nitrogen + n.uptake.fixed,
        leaf_nitrogen_loss=state.leaf_nitrogen_loss + n.leaf_loss,
        root_nitrogen_loss=state.root_nitrogen_loss + n.root_loss,
        rain_sum=state.rain_sum + water.rain,
        irrigation_sum=state.irrigation_sum + water.irrigation,
        explored_water_sum=state.explored_water_sum + water.explored,
        transpiration_sum=state.transpiration_sum + water.transpiration,
        evaporation_sum=state.evaporation_sum + water.evaporation,
        drainage_sum=state.drainage_sum + water.drainage,
        runoff_sum=state.runoff_sum + water.runoff,
    )


def advance(state: State, weather: Weather, management: Management, parameters: Parameters) -> State:
    """Return the field one day later; a season that is over stays as it is.

    Every value may be a number or an array of fields, the parameters included.
    """
    later = next_morning(state, processes(state, weather, management, parameters), parameters)
    return kept_if(is_over(state, parameters), state, later)


def season(weather: Weather, management: Management, parameters: Parameters, start: State | None = None) -> Season:
    """Return all days of a season, for one field or a batch.

    Weather has its days along the first axis, and fields along the second if they have weather of their own; so has
    management, whose quantities may also be single numbers. The precision is that of the weather. A batch of seasons of
    different length has the days of the longest; `Season.growing` tells where each ends.
    """
    check_unless_traced(weather, management, parameters)
    return _season(weather, management, parameters, start)


def harvest(weather: Weather, management: Management, parameters: Parameters, start: State | None = None) -> State:
    """Return the field on the last day of a season: that of `season`, without keeping the days before it."""
    check_unless_traced(weather, management, parameters)
    return _harvest(weather, management, parameters, start)


def check_unless_traced(*inputs: Any) -> None:
    """Check the inputs of a season, except within a function that JAX traces."""
    if not any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(inputs)):
        check_inputs(*inputs)


@jax.jit
def _season(weather: Weather, management: Management, parameters: Parameters, start: State | None) -> Season:
    first, days, p = prepared(weather, management, parameters, start)

    def one_day(carry: tuple[State, Array], today: tuple[Weather, Management]) -> tuple[Any, Season]:
        state, growing = carry
        happening = processes(state, *today, p)
        over = is_over(state, p)
        later = kept_if(over, state, next_morning(state, happening, p))
        happening = jax.tree.map(lambda each: jnp.broadcast_to(each, fields), happening)
        return (later, ~over), Season(state, happening, growing)

    fields = first.day.shape
    growing = jnp.ones(fields, bool)
    return jax.lax.scan(one_day, (first, growing), days)[1]


@jax.jit
def _harvest(weather: Weather, management: Management, parameters: Parameters, start: State | None) -> State:
    first, days, p = prepared(weather, management, parameters, start)
    return jax.lax.scan(lambda state, today: (advance(state, *today, p), None), first, days)[0]


def prepared(
    weather: Weather, management: Management, parameters: Parameters, start: State | None
) -> tuple[State, tuple[Weather, Management], Parameters]:
    """Return first morning, days and parameters, in the precision of the weather and in shapes that fit."""
    precision = jnp.result_type(weather.irradiation)
    cast = partial(jax.tree.map, lambda leaf: jnp.asarray(leaf, precision))
    weather, management, p = cast(weather), cast(management), cast(parameters)
    length = weather.irradiation.shape[0]
    management = jax.tree.map(lambda each: each if each.ndim else jnp.full(length, each), management)
    own = (each.shape[1:] for each in jax.tree.leaves((weather, management)))
    fields = jnp.broadcast_shapes(batch_shape(p), *own)
    first = initial_state(p, precision) if start is None else cast(start)
    return jax.tree.map(lambda each: jnp.broadcast_to(each, fields), first), (weather, management), p
