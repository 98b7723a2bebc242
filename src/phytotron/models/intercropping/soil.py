"""The soil that crops share: water by demand, nitrogen by access, and what the day leaves of both.

Access to nitrogen is that of the minimalist mixture model of Berghuijs et al. 2020 (Plant and Soil 455, 203-226,
doi:10.1007/s11104-020-04668-0), which was made for crops that do not lack water. What happens in drought is LINTUL-3's
rule for a sole crop, applied here to the demand of both: no publication is known to have tested it on intercrops.
"""

import dataclasses
from typing import NamedTuple

import jax.numpy as jnp
from jax import Array

from phytotron.models.intercropping.canopy import Canopy, standing
from phytotron.models.intercropping.root_zones import Layers, NextSoil, drawn, next_layers
from phytotron.models.intercropping.stand import FieldManagement, FieldState, Ground, LayeredGround, Rows
from phytotron.models.lintul3 import Management, State, Weather
from phytotron.models.lintul3.arithmetic import ratio
from phytotron.models.lintul3.nitrogen import Uptake, uptake
from phytotron.models.lintul3.water import EXTINCTION, MILLIMETRES, Transpiration, supplied_fraction, water_flows

KG_HA = 10.0  # kg ha-1 in a g m-2
# Fixation begins, is full, declines and ends at these shares of the temperature sum from emergence to maturity. EPIC
# has 0.15, 0.30, 0.55 and 0.75, which leaves the seeds of faba bean with 2.9 % of nitrogen; that nodules work from the
# first leaves to late seed filling is a choice.
FIXING = (0.03, 0.12, 0.85, 1.0)
MOIST = 0.85  # share of the water content at field capacity above which fixation is full (EPIC)


class Drunk(NamedTuple):
    """The transpiration of every crop, and the layers of the soil that it comes from."""

    transpiration: Transpiration
    layers: Layers  # mm d-1


def drinks(state: FieldState, leaves: Canopy, weather: Weather, rows: Rows) -> Drunk:
    """Return the transpiration of every crop, and its layers.

    The air asks of the whole canopy what it asks of a sole crop of the same leaf area; the crops transpire it in
    proportion to the light that they intercept. How early drought is felt depends on what the whole canopy asks of
    the soil, and on the crop. Where the crops ask for more than there is above the wilting point, all get the same
    part of it.
    """
    p, soil = rows.plants, state.plants
    passed = jnp.exp(-EXTINCTION * leaves.whole_leaf_area)
    whole = jnp.maximum(0.0, weather.reference_evapotranspiration * (1.0 - passed))
    own = leaves.part * whole
    supply = supplied_fraction(soil.water_content, whole, p)
    if rows.rules.root_zones:
        taken = drawn(state, own * supply, rows)
        supply = jnp.minimum(1.0, ratio(taken.total, own))  # rounding may leave a little more than is asked for
    else:
        left = jnp.maximum(0.0, soil.soil_water - p.wilting_point * MILLIMETRES * state.ground.depth)
        supply = supply * jnp.minimum(1.0, ratio(left, rows.of_field(own * supply), otherwise=1.0))
        taken = Layers(own * supply, jnp.zeros_like(own))
    transpiration = Transpiration(
        potential_evaporation=jnp.maximum(0.0, weather.bare_soil_evaporation * passed),
        potential=own,
        actual=own * supply,
        reduction=jnp.where(own > 0.0, supply, 1.0),
    )
    return Drunk(transpiration, taken)


def uninhibited(state: FieldState, rows: Rows) -> Array:
    """Return the share of a legume's fixation that mineral nitrogen leaves to it.

    EPIC: 1 up to 100 kg ha-1 of nitrate per m of rooted soil, falling to 0 at 300 (Sharpley and Williams 1990). The
    nitrogen of LINTUL-3 has no depth; it is taken as that of the soil which the crop can root.
    """
    mineral = state.plants.soil_nitrogen + state.ground.band
    rule = jnp.clip(1.5 - 0.005 * KG_HA * mineral / rows.plants.maximum_root_depth, 0.0, 1.0)
    return 1.0 - rows.sharing.fixation_inhibition * (1.0 - rule)


def fixing_share(state: FieldState, rows: Rows) -> Array:
    """Return the share of a legume's fixation that stage, soil water and mineral nitrogen leave to it.

    EPIC (Sharpley and Williams 1990): stage × min(water, nitrate), the water that of the soil which the crop roots.
    Nodules take time to form, and seeds compete with them towards maturity.
    """
    nitrate = uninhibited(state, rows)
    if not rows.rules.fixation_by_stage_and_water:
        return nitrate
    p, plants = rows.plants, state.plants
    begins, full, declines, ends = FIXING
    grown = plants.temperature_sum / (p.vegetative_temperature_sum + p.reproductive_temperature_sum)
    stage = jnp.clip(jnp.minimum((grown - begins) / (full - begins), (ends - grown) / (ends - declines)), 0.0, 1.0)
    water = jnp.clip(plants.water_content / (MOIST * p.field_capacity), 0.0, 1.0)
    return stage * jnp.minimum(water, nitrate)


class Taken(NamedTuple):
    """Nitrogen that comes into the crops on one day."""

    uptake: Uptake
    from_band: Array  # g{N} m-2, the part of what comes from the soil


def uptakes(state: FieldState, leaves: Canopy, rows: Rows) -> Taken:
    """Return the uptake of nitrogen by every crop. A crop has access to the part of the shared nitrogen that it has of
    the transpiration, and to all of its band.

    Transpiration carries nitrogen to the roots. A crop draws on both pools alike.
    """
    band = state.ground.band
    fixation = rows.plants.nitrogen_fixation * fixing_share(state, rows)
    reached = leaves.part * state.plants.soil_nitrogen + band
    taken = uptake(state.plants, reached, dataclasses.replace(rows.plants, nitrogen_fixation=fixation))
    return Taken(taken, ratio(band, reached) * taken.from_soil)


def one_layer(
    state: FieldState,
    grown: State,
    weather: Weather,
    irrigation: Management,
    drunk: Transpiration,
    leaves: Canopy,
    rows: Rows,
) -> NextSoil:
    """Return the water of the next morning, in one layer down to the deepest roots, as LINTUL-3 has it."""
    ground = state.ground
    reached = jnp.where(leaves.standing, grown.root_depth, 0.0)
    depth = jnp.maximum(ground.depth, jnp.maximum(reached, rows.other(reached)))
    layer = dataclasses.replace(state.plants, root_depth=ground.depth)
    whole = drunk._replace(actual=rows.of_field(drunk.actual))
    flows = water_flows(layer, weather, irrigation, whole, depth - ground.depth, rows.plants)
    water = state.plants.soil_water + flows.change
    none = jnp.zeros_like(water)
    return NextSoil(flows, depth, depth, Layers(water, none), water / (MILLIMETRES * depth))


def on_next_soil(
    grown: State,
    state: FieldState,
    weather: Weather,
    management: FieldManagement,
    drunk: Drunk,
    taken: Taken,
    leaves: Canopy,
    rows: Rows,
) -> tuple[State, Ground]:
    """Return the crops of the next morning, with the soil of that morning.

    Bands lose nitrogen to the shared soil with a time constant.
    """
    p, before, ground = rows.plants, state.plants, state.ground
    irrigation = Management(nitrogen=0.0, irrigation=management.irrigation)
    tomorrow = before.day + 1.0
    if rows.rules.root_zones:
        there = standing(dataclasses.replace(state, plants=dataclasses.replace(grown, day=tomorrow)), rows)
        new = next_layers(state, grown, there, weather, irrigation, drunk.transpiration, drunk.layers, rows)
    else:
        new = one_layer(state, grown, weather, irrigation, drunk.transpiration, leaves, rows)
    flows, depth, water = new.flows, new.depth, new.water.total

    from_band = jnp.where(leaves.standing, taken.from_band, 0.0)
    from_shared = jnp.where(leaves.standing, taken.uptake.from_soil, 0.0) - from_band
    spread, banded = p.nitrogen_recovery * management.nitrogen, p.nitrogen_recovery * management.banded
    left = ground.band - from_band
    mixed = left / rows.sharing.placement_time
    shared = spread - rows.of_field(from_shared) + p.mineralisation
    soil = {
        "day": tomorrow,
        "soil_nitrogen": before.soil_nitrogen + shared + rows.of_field(mixed),
        "soil_water": water,
        "water_content": new.content,
        "dry_days": flows.dry_days,
        "rain_sum": before.rain_sum + flows.rain,
        "irrigation_sum": before.irrigation_sum + flows.irrigation,
        "explored_water_sum": before.explored_water_sum + flows.explored,
        "evaporation_sum": before.evaporation_sum + flows.evaporation,
        "drainage_sum": before.drainage_sum + flows.drainage,
        "runoff_sum": before.runoff_sum + flows.runoff,
    }
    of_ground = {
        "depth": depth,
        "band": left - mixed + banded,
        "fertiliser_sum": ground.fertiliser_sum + spread + rows.of_field(banded),
        "mineralised_sum": ground.mineralised_sum + p.mineralisation,
    }
    later: Ground = (
        LayeredGround(**of_ground, upper_depth=new.upper_depth, lower_water=new.water.lower)
        if rows.rules.root_zones
        else Ground(**of_ground)
    )
    return dataclasses.replace(grown, **soil), later
