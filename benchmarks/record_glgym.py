"""Record one day of gl-gym's greenhouse model on synthetic weather: a reference trajectory to verify against.

Usage:

    python benchmarks/record_glgym.py trajectory.npz [--seed 0] [--tolerance 1e-8]

gl-gym 0.3.2 is installed into `.peers/gl-gym-0.3.2` on first use, or taken from `--peer-python`. Its
equations and parameters are integrated with CVODES over 288 steps of 300 s, with weather and controls held
constant over each step (gl-gym itself integrates at a tolerance of 1e-4). The weather is a formula and the
controls are random numbers, so the file holds no measured data.

The file has: t [s] (289), x (289, 28), u (288, 8), d (288, 10), state_names, control_names, weather_names,
parameter_set and hold. Row k of u and d holds from t[k] to t[k + 1]. Exit code 2: gl-gym could not be run.
"""

from __future__ import annotations

import argparse
import math
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import peers

STEP = 300.0  # s
STEPS = 288
SUNRISE, SUNSET = 6.0, 18.0  # h
# fmt: off
STATES = (
    "co2Air", "co2Top", "tAir", "tTop", "tCan", "tCovIn", "tCovE", "tThScr", "tFlr", "tPipe", "tSo1", "tSo2",
    "tSo3", "tSo4", "tSo5", "vpAir", "vpTop", "tLamp", "tIntLamp", "tGroPipe", "tBlScr", "tCan24", "cBuf",
    "cLeaf", "cStem", "cFruit", "tCanSum", "time",
)
CONTROLS = ("boil", "extCo2", "thScr", "roof", "lamp", "intLamp", "boilGro", "blScr")
WEATHER = (
    "iGlob", "tOut", "vpOut", "co2Out", "wind", "tSky", "tSoOut", "dayRadSum", "isDay", "isDaySmooth",
)
FREE_CONTROLS = (0, 1, 2, 3, 4, 7)  # the six that gl-gym's model has, in its order; the other two stay 0
PARAMETERS = 208  # length of gl-gym's parameter vector
# A mature tomato crop. All temperatures that are not given start at 16.5 C; soil towards 8 C outdoors.
INITIAL_STATE = dict.fromkeys(STATES, 16.5) | {
    "co2Air": 740.0, "co2Top": 740.0, "vpAir": 1681.9, "vpTop": 1681.9, "tCan": 20.5, "tCan24": 20.5,
    "tSo2": 14.375, "tSo3": 12.25, "tSo4": 10.125, "tSo5": 8.0, "cBuf": 0.0, "cLeaf": 95283.0,
    "cStem": 251070.0, "cFruit": 55338.0, "tCanSum": 3097.8, "time": 0.0,
}
# fmt: on


def global_radiation(hour: float) -> float:
    """Return a half-sine sun of 700 W/m2 at noon behind passing clouds [W/m2]."""
    sun = 700.0 * math.sin(math.pi * (hour - SUNRISE) / (SUNSET - SUNRISE))
    clouds = 1.0 - 0.5 * math.sin(2.0 * math.pi * hour / 5.0) ** 2
    return max(sun, 0.0) * clouds


def weather(hour: float, day_radiation_sum: float) -> list[float]:
    """Return the ten weather inputs at an hour of the day, in the order of WEATHER."""
    temperature = 8.0 + 5.0 * math.sin(2.0 * math.pi * (hour - 9.0) / 24.0)
    saturation = 610.78 * math.exp(17.2694 * temperature / (temperature + 238.3))
    wind = 3.0 + 2.0 * math.sin(2.0 * math.pi * (hour - 5.0) / 24.0)
    # One-hour twilight around sunrise and sunset, linear for isDay and a sigmoid for isDaySmooth.
    is_day = min(max(min(hour - SUNRISE, SUNSET - hour) + 0.5, 0.0), 1.0)
    smooth = is_day if is_day in (0.0, 1.0) else 1.0 / (1.0 + math.exp(-10.0 * (is_day - 0.5)))
    outside = [global_radiation(hour), temperature, 0.8 * saturation, 740.0, wind, temperature - 12.0, 8.0]
    return [*outside, day_radiation_sum, is_day, smooth]


def record(output: Path, seed: int, tolerance: float) -> None:
    """Integrate gl-gym's model and write the trajectory; needs an interpreter that has gl-gym."""
    import casadi  # type: ignore[import-not-found]
    import numpy as np
    from gl_gym.configs.default_params import init_default_params  # type: ignore[import-not-found]
    from gl_gym.models.GreenLight.ode import ODE  # type: ignore[import-not-found]

    hours = [step * STEP / 3600.0 for step in range(STEPS)]
    day_radiation_sum = sum(map(global_radiation, hours)) * STEP * 1e-6  # MJ/m2
    d = np.array([weather(hour, day_radiation_sum) for hour in hours])
    u = np.zeros((STEPS, len(CONTROLS)))
    u[:, FREE_CONTROLS] = np.random.default_rng(seed).random((STEPS, len(FREE_CONTROLS)))
    x = np.zeros((STEPS + 1, len(STATES)))
    x[0] = [INITIAL_STATE[name] for name in STATES]

    sizes = {"x": len(STATES), "u": len(FREE_CONTROLS), "d": len(WEATHER), "p": PARAMETERS}
    symbols = {name: casadi.SX.sym(name, size) for name, size in sizes.items()}
    held = casadi.vertcat(symbols["u"], symbols["d"], symbols["p"])
    problem = {"x": symbols["x"], "p": held, "ode": ODE(**symbols)}
    options = {"reltol": tolerance, "abstol": tolerance, "max_num_steps": 1_000_000}
    advance = casadi.integrator("advance", "cvodes", problem, 0.0, STEP, options)
    parameters = np.asarray(init_default_params(PARAMETERS), dtype=np.float64)
    for step in range(STEPS):
        inputs = np.concatenate([u[step, FREE_CONTROLS], d[step], parameters])
        x[step + 1] = advance(x0=x[step], p=inputs)["xf"].full().ravel()
    if not np.isfinite(x).all():
        raise RuntimeError("the trajectory has values that are not finite")

    partial = output.with_name(output.name + ".part")
    try:
        with partial.open("wb") as file:
            np.savez_compressed(
                file,
                t=STEP * np.arange(STEPS + 1),
                x=x,
                state_names=np.array(STATES),
                u=u,
                control_names=np.array(CONTROLS),
                d=d,
                weather_names=np.array(WEATHER),
                parameter_set=np.array("katzin2020_144m2"),
                hold=np.array("constant"),
            )
        partial.replace(output)
    finally:
        partial.unlink(missing_ok=True)


def has_glgym() -> bool:
    """Tell whether this interpreter has gl-gym in the version wanted."""
    name, wanted = peers.GLGYM
    try:
        return version(name) == wanted
    except PackageNotFoundError:
        return False


def main() -> int:
    """Record here when this interpreter has gl-gym, otherwise run this script again with one that has."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("output", type=Path, help="file to write (.npz)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the random controls")
    parser.add_argument("--tolerance", type=float, default=1e-8, help="relative and absolute, of CVODES")
    peers.add_peer_argument(parser)
    arguments = parser.parse_args()
    if arguments.peer_python is None and has_glgym():
        record(arguments.output, arguments.seed, arguments.tolerance)
        return 0
    try:
        python = peers.ensure(*peers.GLGYM, arguments.peer_python)
        settings = ["--seed", str(arguments.seed), "--tolerance", str(arguments.tolerance)]
        peers.run([python, "-Es", __file__, arguments.output, *settings], "recording gl-gym")
    except peers.PeerError as error:
        print(f"record_glgym: {error}", file=sys.stderr)
        return 2
    print(f"wrote {arguments.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
