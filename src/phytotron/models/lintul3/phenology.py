"""Development by temperature, from emergence (stage 0) over flowering (1) to maturity (2)."""

from __future__ import annotations

from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.fields import Value
from phytotron.models.lintul3.parameters import Parameters
from phytotron.models.lintul3.states import State, Weather

FLOWERING = 1.0


class Development(NamedTuple):
    """Of one day."""

    temperature_sum: Value  # °C d d-1, DTSUM
    stage: Value  # d-1, DVR


def is_mature(stage: Value, p: Parameters) -> Value:
    return stage >= p.mature_stage


def development(state: State, weather: Weather, p: Parameters) -> Development:
    """Neither nitrogen nor water nor day length matter; the mean temperature does, not that of the extremes."""
    warmth = p.temperature_response(weather.air_temperature)
    warmth = jnp.where(is_mature(state.stage, p), 0.0, warmth)
    duration = jnp.where(state.stage < FLOWERING, p.vegetative_temperature_sum, p.reproductive_temperature_sum)
    return Development(temperature_sum=warmth, stage=warmth / duration)


def next_stage(stage: Value, rate: Value, p: Parameters) -> Value:
    """Flowering begins at 1 exactly and maturity ends at 2: what the last day of a phase had too much is dropped."""
    grown = stage + rate
    vegetative = jnp.minimum(grown, FLOWERING)
    reproductive = jnp.minimum(grown, p.mature_stage)
    return jnp.where(stage < FLOWERING, vegetative, reproductive)
