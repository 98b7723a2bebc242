"""GreenLight against recorded runs of the published implementations: every rate and every state."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import MappingProxyType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.core.fields import stack, symbols, unstack
from phytotron.models.greenlight import Control, State, Weather, derivative, forcing
from phytotron.verification.archives import Floats
from phytotron.verification.greenlight.files import CONSTANT, LINEAR, PCHIP, DerivativeTable, Trajectory, read_folder
from phytotron.verification.greenlight.replay import follows_rules, replay
from phytotron.verification.result import FileResult, StateError, Verification

# Of rates: largest difference per largest rate, over the rows of a table.
RATE_BOUNDS = MappingProxyType({"katzin2020_144m2": 1e-6, "katzin2021_4ha_led": 1e-6, "greenlight_gym_1p4ha_led": 2e-5})

# GreenLight-Gym does not give its derivative: its tables are differences of the state over this time [s]. They cannot
# resolve less than the spacing of floating-point numbers near the largest state, divided by this time. That matters for
# slow states: the clock, counted in days up to the 353rd, advances by 1e-9 day, of which the spacing is 5e-5.
DIFFERENCE_TIME = MappingProxyType({"greenlight_gym_1p4ha_led": 1e-4})

# Of trajectories, in percent (see `relative_rmse`). Where u and d are held constant, the tolerance of the published
# solver remains; GreenLight-Gym reads its weather from a curve at one second whose grid drifts by 300 s in ten days.
# Runs in closed loop are bound in the states that the seed paper verified.
EVERY_STATE = MappingProxyType({CONSTANT: 0.05, PCHIP: 0.5})
CLOSED_LOOP = MappingProxyType({"co2Air": 1.5, "tAir": 1.5, "vpAir": 1.5, "cFruit": 0.05})


def by_symbol(errors: Floats, bounds: Sequence[float | None]) -> dict[str, StateError]:
    """Return errors and bounds of all states, in the order of `State`."""
    return dict(zip(symbols(State), map(StateError.of, errors, bounds), strict=True))


def relative_rmse(ours: Floats, reference: Floats) -> Floats:
    """Return the root mean square difference relative to the mean magnitude of the reference, per column [%].

    Where that magnitude is 0, 100 times the absolute difference is returned.
    """
    magnitude = np.mean(np.abs(reference), axis=0)
    with np.errstate(all="ignore"):  # of a replay that diverged
        return np.asarray(
            100.0 * np.sqrt(np.mean((ours - reference) ** 2, axis=0)) / np.where(magnitude == 0.0, 1.0, magnitude)
        )


def check_table(table: DerivativeTable) -> FileResult:
    """Compare our rates with those of a derivative table."""
    with jax.enable_x64(True):
        control, weather = unstack(Control, jnp.asarray(table.u)), unstack(Weather, jnp.asarray(table.d))
        equations = table.equations
        held = forcing(control, weather, table.parameters, equations)
        ours = np.asarray(stack(derivative(unstack(State, jnp.asarray(table.x)), held, equations)))
    largest = np.max(np.abs(table.dxdt), axis=0)
    scale = np.where(largest == 0.0, 1.0, largest)
    bounds = np.full(len(scale), RATE_BOUNDS[table.parameter_set])
    if table.parameter_set in DIFFERENCE_TIME:
        resolved = np.spacing(np.max(np.abs(table.x), axis=0)) / DIFFERENCE_TIME[table.parameter_set]
        bounds = bounds + resolved / scale
    with np.errstate(all="ignore"):  # of rates that are not finite
        errors = np.max(np.abs(ours - table.dxdt), axis=0) / scale
    return FileResult(table.name, "derivative", table.parameter_set, by_symbol(errors, bounds.tolist()))


def check_trajectories(trajectories: Sequence[Trajectory]) -> dict[str, FileResult]:
    """Replay all trajectories, those of a kind together, several kinds at a time."""
    ruled = {each.name for each in trajectories if each.hold == LINEAR and follows_rules(each)}
    batches: dict[tuple[Any, ...], list[Trajectory]] = {}
    for each in trajectories:
        for by_rules in (False, True) if each.name in ruled else (False,):
            batches.setdefault((by_rules, each.parameter_set, each.hold, each.interval), []).append(each)

    errors: dict[tuple[str, bool], Floats] = {}
    with ThreadPoolExecutor(min(len(batches), os.cpu_count() or 1) or 1) as pool:
        replays = {key: pool.submit(replay, batch, by_rules=key[0]) for key, batch in batches.items()}
        for key, batch in batches.items():
            for each, ours in zip(batch, replays[key].result(), strict=True):
                errors[each.name, key[0]] = relative_rmse(ours, each.x[1:])

    results = {}
    for each in trajectories:
        bounds = [
            CLOSED_LOOP.get(symbol) if each.hold == LINEAR else EVERY_STATE[each.hold] for symbol in symbols(State)
        ]
        states = by_symbol(errors[each.name, each.name in ruled], bounds)
        control = ("rules" if each.name in ruled else "interpolated") if each.hold == LINEAR else None
        open_loop = by_symbol(errors[each.name, False], [None] * len(bounds)) if each.name in ruled else None
        results[each.name] = FileResult(each.name, "trajectory", each.parameter_set, states, control, open_loop)
    return results


def verify_greenlight(folder: Path) -> Verification:
    """Check all derivative tables of a folder, and replay all its trajectories."""
    references = read_folder(folder)
    trajectories = check_trajectories([each for each in references if isinstance(each, Trajectory)])
    files = [check_table(each) if isinstance(each, DerivativeTable) else trajectories[each.name] for each in references]
    return Verification("greenlight", tuple(files))
