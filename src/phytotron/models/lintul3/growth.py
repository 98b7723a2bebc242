"""Development by temperature, growth by light, and where growth goes."""

from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.fields import Value
from phytotron.models.lintul3.arithmetic import ratio
from phytotron.models.lintul3.nitrogen import NitrogenStatus
from phytotron.models.lintul3.parameters import Parameters
from phytotron.models.lintul3.states import State, Weather

FLOWERING = 1.0
LIGHT_PER_RADIATION = 0.5  # photosynthetically active part of global radiation


class Development(NamedTuple):
    """The development of one day, from emergence (stage 0) over flowering (1) to maturity (2)."""

    temperature_sum: Value  # °C d d-1, DTSUM
    stage: Value  # d-1, DVR


def is_mature(stage: Value, p: Parameters) -> Value:
    """Return whether a development stage [-] is that of maturity or beyond."""
    return stage >= p.mature_stage


def development(state: State, weather: Weather, p: Parameters) -> Development:
    """Return the daily development of a crop.

    Neither nitrogen nor water nor day length matter; the mean temperature does, not that of the extremes.
    """
    warmth = p.temperature_response(weather.air_temperature)
    warmth = jnp.where(is_mature(state.stage, p), 0.0, warmth)
    duration = jnp.where(state.stage < FLOWERING, p.vegetative_temperature_sum, p.reproductive_temperature_sum)
    return Development(temperature_sum=warmth, stage=warmth / duration)


def next_stage(stage: Value, rate: Value, p: Parameters) -> Value:
    """Return the stage of the next day.

    Flowering begins at 1 exactly and maturity ends at 2: what the last day of a phase had too much is dropped.
    """
    grown = stage + rate
    vegetative = jnp.minimum(grown, FLOWERING)
    reproductive = jnp.minimum(grown, p.mature_stage)
    return jnp.where(stage < FLOWERING, vegetative, reproductive)


class Growth(NamedTuple):
    """The growth of one day, by light."""

    light: Value  # MJ m-2 d-1, photosynthetically active radiation
    reduction: Value  # -, GRF: by water or nitrogen, whichever is scarcer
    dry_matter: Value  # g m-2 d-1, RGROWTH


def intercepted_share(state: State, p: Parameters) -> Value:
    """Return the share of the light that a crop intercepts which stands alone."""
    return 1.0 - jnp.exp(-p.light_extinction * state.leaf_area_index)


def growth(
    weather: Weather, intercepted: Value, water_reduction: Value, nitrogen_reduction: Value, p: Parameters
) -> Growth:
    """Return the growth of a crop in a day; `intercepted` is the crop's share of the light."""
    light = LIGHT_PER_RADIATION * (weather.irradiation * 1e-6)
    reduction = jnp.minimum(water_reduction, nitrogen_reduction)
    return Growth(
        light=light, reduction=reduction, dry_matter=p.light_use_efficiency * (light * intercepted) * reduction
    )


class Shares(NamedTuple):
    """The shares of the organs in the day's growth, by stage: more to the roots in drought, less to the leaves without
    nitrogen; sum one.
    """

    root: Value  # FRT
    leaf: Value  # FLV
    stem: Value  # FST
    grain: Value  # FSO


def partitioning(state: State, water_reduction: Value, status: NitrogenStatus, p: Parameters) -> Shares:
    """Return the scarcer of water and nitrogen shifts growth; in severe early drought the roots' share exceeds one."""
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
    """Return the stem mass that becomes grain [g m-2 d-1], after flowering (Kallenberg et al. 2023)."""
    moved = state.stem_mass * stage_rate * p.stem_remobilisation
    return jnp.where(state.stage > p.translocation_stage, moved, 0.0)
