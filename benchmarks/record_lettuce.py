"""Record the lettuce greenhouse of `lettuce-greenhouse-gym` 0.1.3: reference numbers for tests, and its weather.

Usage, from the repository root:

    python benchmarks/record_lettuce.py [--peer-python PATH]

Writes two files.

`tests/environments/lettuce/reference.npz`: derivatives, measurements and half-hour steps at random points; one season
under random actions; the seasons of the package's three simple controllers.

`src/phytotron/environments/lettuce/bleiswijk_2014.npz`: every sixth row (one per half hour) of the package's weather,
which was measured every five minutes. The numbers are those of the package's file, unchanged.

The package is installed into `.peers/` on first use, or taken from the interpreter named. Exit code 2: it could not be.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import peers

LETTUCE = ("lettuce-greenhouse-gym", "0.1.3")
REFERENCE = peers.ROOT / "tests/environments/lettuce/reference.npz"
WEATHER = peers.ROOT / "src/phytotron/environments/lettuce/bleiswijk_2014.npz"
POINTS = 200
STEPS_BETWEEN = 8  # between recorded states of a season
ROWS_BETWEEN = 6  # of five minutes, in half an hour

Numbers = NDArray[np.float64]


def points(rng: np.random.Generator) -> dict[str, Numbers]:
    """Derivatives, measurements and steps of the package's model at random states, controls and weathers."""
    import casadi  # type: ignore[import-not-found]
    from lettuce_greenhouse_gym.model.vanhenten import VanHentenLettuce  # type: ignore[import-not-found]

    model = VanHentenLettuce()
    symbols = [casadi.SX.sym(name, size) for name, size in (("x", 4), ("u", 3), ("v", 4))]
    constants = model.constants.to_array()
    rates = casadi.Function("f", symbols, [model.rhs(*symbols, casadi.SX(constants), 0.0)])
    step, measure = model.build_integrator(1800.0), model.build_measurement()
    x = rng.uniform([0.002, 2e-4, 5.0, 0.002], [0.6, 0.004, 40.0, 0.051], (POINTS, 4))
    u = rng.uniform(0.0, [1.2, 7.5, 150.0], (POINTS, 3))
    v = rng.uniform([0.0, 5e-4, -10.0, 0.001], [1000.0, 1e-3, 35.0, 0.02], (POINTS, 4))
    v[::4, 0] = 0.0  # night
    each = list(zip(x, u, v, strict=True))
    return {
        "points_x": x,
        "points_u": u,
        "points_v": v,
        "points_rates": np.array([np.ravel(rates(*one)) for one in each]),
        "points_next": np.array([np.ravel(step(*one, constants)) for one in each]),
        "points_measured": np.array([np.ravel(measure(one)) for one in x]),
    }


def season(rng: np.random.Generator) -> dict[str, NDArray[Any]]:
    """A season under random actions, which are given in steps of 1/64."""
    from lettuce_greenhouse_gym import LettuceGreenhouseEnv  # type: ignore[import-not-found]

    env = LettuceGreenhouseEnv()
    actions = rng.integers(-64, 65, (env.config.n_steps, 3), dtype=np.int8)
    observation, _ = env.reset(seed=0)
    states, seen, rewards, penalties = [env.state], [observation], [], []
    for action in actions / 64.0:
        observation, reward, *_, info = env.step(action)
        states.append(env.state)
        seen.append(observation)
        rewards.append(reward)
        penalties.append([info[f"penalty_{name}"] for name in ("co2_ppm", "indoor_temp", "rh")])
    return {
        "season_actions": actions,
        "season_states": np.array(states[::STEPS_BETWEEN]),
        "season_observations": np.array(seen[::STEPS_BETWEEN]),
        "season_rewards": np.array(rewards),
        "season_penalties": np.sum(penalties, axis=0),
    }


def controllers() -> dict[str, Numbers]:
    """Return, last state and controls every eight steps of the package's simple controllers."""
    from lettuce_greenhouse_gym import LettuceGreenhouseEnv
    from lettuce_greenhouse_gym.baselines import (  # type: ignore[import-not-found]
        AllOff,
        ConstantControl,
        GrowerHeuristic,
        run_episode,
    )

    found = {}
    for name, controller in (
        ("off", AllOff()),
        ("constant", ConstantControl([0.0, 0.0, 50.0])),
        ("rule-based", GrowerHeuristic()),
    ):
        log = run_episode(LettuceGreenhouseEnv(), controller, seed=0)
        found[f"{name}_return"] = np.asarray(log.total_return)
        found[f"{name}_last_state"] = log.x[-1]
        found[f"{name}_controls"] = log.u[::STEPS_BETWEEN]
        print(f"{name}: return {log.total_return:.6f}")
    return found


def weather() -> dict[str, Numbers]:
    """Half-hourly rows of the weather file, as measured."""
    import lettuce_greenhouse_gym

    file = Path(lettuce_greenhouse_gym.__file__).parent / "data/outdoorWeatherWurGlas2014.csv"
    rows = np.loadtxt(file, delimiter=",")[::ROWS_BETWEEN]
    columns = {"global_radiation": 1, "air_temperature": 2, "relative_humidity": 3, "co2": 5}
    return {name: np.ascontiguousarray(rows[:, column]) for name, column in columns.items()}


def save(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    """Write a compressed file and say how large it is."""
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]
    print(f"wrote {path.relative_to(peers.ROOT)}: {path.stat().st_size} bytes")


def record() -> None:
    """Make both files, inside the environment of the package."""
    rng = np.random.default_rng(2003)
    save(REFERENCE, points(rng) | season(rng) | controllers())
    save(WEATHER, weather())


def main() -> int:
    """Start this script again in the environment of the package."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    peers.add_peer_argument(parser)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        record()
        return 0
    try:
        python = peers.ensure(*LETTUCE, arguments.peer_python)
        print(peers.run([python, __file__, "--inside"], "recording"), end="")
    except peers.PeerError as error:
        print(f"record_lettuce: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
