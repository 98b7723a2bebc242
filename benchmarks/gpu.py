"""Speed on an accelerator, and how far its fused kernel is from float64.

    PYTHONPATH=src python benchmarks/gpu.py

Needs jax and numpy only. Prints one JSON object per line.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.core.fields import stack, symbols, unstack
from phytotron.evaluation.speed import measure_environment, measure_greenlight, typical_points
from phytotron.models.greenlight import Control, GreenLight, State, Weather, load_parameters

DAY = 288  # control intervals of 300 s
OTHERS = {
    "phytotron/WheatNitrogen-v0": 65_536,
    "phytotron/Intercrop-v0": 65_536,
    "phytotron/IntercropField-v0": 65_536,
    "phytotron/IntercropField-v1": 65_536,
    "phytotron/GreenhouseSetpoint-v0": 8192,
    "phytotron/Lettuce-v0": 262_144,
}


def show(kind: str, result: dict[str, Any]) -> None:
    print(json.dumps({"kind": kind, **result}), flush=True)


def speeds() -> None:
    for count in (4096, 65_536, 262_144):
        show("fused", dataclasses.asdict(measure_greenlight(count, steps_per_call=16)))
    for count in (4096, 65_536):
        plain = GreenLight(fused=False)
        show("plain XLA", dataclasses.asdict(measure_greenlight(count, model=plain, steps_per_call=16)))
    for count in (4096, 65_536):
        measured = measure_environment("phytotron/Greenhouse-v0", count, {"precision": "float32"}, 16, 2.0)
        show("environment", dataclasses.asdict(measured))
    for id, count in OTHERS.items():
        show("environment", dataclasses.asdict(measure_environment(id, count, {"precision": "float32"}, 8, 2.0)))


def day_of_random_control(model: GreenLight, precision: Any) -> np.ndarray:
    """States of 512 greenhouses after every interval of a day, the same controls whatever the precision."""
    states, _, weather = typical_points(512)
    controls = np.random.default_rng(1).uniform(0.0, 1.0, (DAY, 512, 8))
    parameters = load_parameters("greenlight_gym_1p4ha_led")
    outside = unstack(Weather, jnp.asarray(weather, precision))

    def step(state: State, control: jax.Array) -> tuple[State, jax.Array]:
        after = model.advance(state, unstack(Control, control), outside, parameters)
        return after, stack(after)

    start = unstack(State, jnp.asarray(states, precision))
    _, series = jax.jit(lambda s, c: jax.lax.scan(step, s, c))(start, jnp.asarray(controls, precision))
    return np.asarray(series, np.float64)


def accuracy() -> None:
    fused = day_of_random_control(GreenLight(), jnp.float32)
    with jax.enable_x64(True):
        exact = day_of_random_control(GreenLight(fused=False), jnp.float64)
    error = 100.0 * np.sqrt(np.mean((fused - exact) ** 2, (0, 1))) / np.mean(np.abs(exact), (0, 1))
    show("fused float32 against float64, one day, rRMSE %", dict(zip(symbols(State), error.round(5), strict=True)))


if __name__ == "__main__":
    speeds()
    accuracy()
