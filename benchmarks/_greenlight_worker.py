"""Solve the original GreenLight model; run by `record_greenlight.py` with the interpreter that has it.

Usage: python _greenlight_worker.py WEATHER.csv CHANGES.json RESULT.npz NAME...

WEATHER.csv and CHANGES.json (initial values, constants, solver options) are inputs as the package defines
them. RESULT.npz gets one array, `table`: a row per output time, a column per NAME.
"""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from pathlib import Path

import numpy as np
from greenlight import GreenLight  # type: ignore[import-not-found]

MODEL = "katzin_2021/definition/main_katzin_2021.json"  # LED lamps, 4 ha


def main(weather: str, changes: str, result: str, *names: str) -> None:
    """Load, solve, and write the named variables."""
    # Harmless: the solver's difference quotients overflow for a screen that stays open and has no effect.
    warnings.simplefilter("ignore", RuntimeWarning)
    # The output path is never written to; without one the package makes a folder in the working directory.
    model = GreenLight(input_prompt=[MODEL, weather, changes], output_path="unused.csv")
    with Path(os.devnull).open("w") as null, contextlib.redirect_stdout(null):  # it prints at every evaluation
        model.load()
        model.solve()
    if not model.states_sol.success:
        raise RuntimeError(f"the solver stopped at {model.states_sol.t[-1]} s: {model.states_sol.message}")
    table = model.full_sol[list(names)].to_numpy(dtype=np.float64)
    if not np.isfinite(table).all():
        raise RuntimeError("the trajectory has values that are not finite")
    np.savez(result, table=table)


if __name__ == "__main__":
    main(*sys.argv[1:])
