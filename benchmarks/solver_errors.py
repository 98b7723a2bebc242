"""Errors of the solvers under random control, on the embedded weather.

    python benchmarks/solver_errors.py [SOLVER ...]

All eight actuators are uniformly random at every interval of 300 s, for ten days from six dates; float64, open loop,
against RK4 with 0.5 s steps. Prints, per greenhouse and solver, the worst rRMSE in percent of the six runs.
"""

from __future__ import annotations

import sys
from datetime import date, timedelta
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.core.fields import find, names, stack, unstack
from phytotron.environments.glasshouse.start import at_rest
from phytotron.models.greenlight import PARAMETER_SETS, Control, GreenLight, Parameters, State, Weather, load_parameters
from phytotron.weather.calendar import days_since_new_year, to_datetime64
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.greenhouse_weather import greenhouse_weather

STEPS = 2880
FIRST = date(2010, 3, 1)
STARTS = (0, 10, 20, 30, 40, 50)  # days after it
SHOWN = ("co2Air", "tAir", "vpAir", "cFruit")


def run(model: GreenLight, parameters: Parameters, weather: Weather, controls: Any) -> np.ndarray:
    """All states after every interval: (steps, runs, 28)."""

    def interval(state: State, now: tuple[Weather, Any]) -> tuple[State, Any]:
        after = model.advance(state, unstack(Control, now[1]), now[0], parameters)
        return after, stack(after)

    first = jax.tree.map(lambda series: series[0], weather)
    since = float(days_since_new_year(np.array([to_datetime64(FIRST)]))[0])
    start = at_rest(first, since + jnp.asarray(STARTS, float))
    start = jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (len(STARTS),)), start)
    return np.asarray(jax.jit(lambda s, w: jax.lax.scan(interval, s, w))(start, (weather, controls))[1])


def main() -> None:
    jax.config.update("jax_enable_x64", True)
    series = greenhouse_weather(embedded_weather("schiphol").window(FIRST, FIRST + timedelta(days=61)))
    weather = unstack(Weather, jnp.asarray(np.stack([series.values[288 * day :][:STEPS] for day in STARTS], 1)))
    controls = jnp.asarray(np.random.default_rng(0).uniform(0.0, 1.0, (STEPS, len(STARTS), len(names(Control)))))
    where = [names(State).index(find(State, symbol).name) for symbol in SHOWN]
    for name in PARAMETER_SETS:
        parameters = load_parameters(name)
        exact = run(GreenLight("rk4"), parameters, weather, controls)
        for solver in sys.argv[1:] or ["rosenbrock", "rkc2"]:
            model = GreenLight(solver)
            ours = run(model, parameters, weather, controls)
            error = 100.0 * np.sqrt(np.mean((ours - exact) ** 2, 0)) / np.mean(np.abs(exact), 0)
            shown = "  ".join(f"{symbol} {error[:, i].max():.4f}" for symbol, i in zip(SHOWN, where, strict=True))
            print(f"{name:<26}{solver:<12}{model.evaluations:>5} evaluations  {shown}", flush=True)


if __name__ == "__main__":
    main()
