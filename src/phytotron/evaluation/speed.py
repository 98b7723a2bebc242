"""Environment steps per second of models and environments, with compile time and memory."""

import dataclasses
import inspect
import resource
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.adapters.compiling import Packing
from phytotron.core import registry
from phytotron.core.arrays import PRECISIONS
from phytotron.core.compilation import single_kernel
from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.core.fields import names, quantities, unstack
from phytotron.core.stepping import checked_transition
from phytotron.gymnasium_ids import ENTRY_POINTS
from phytotron.models.greenlight import Control, GreenLight, State, Weather, load_parameters

INTERFACES = ("functional", "gymnasium")
REPEATS = 5  # of which the median counts

Function = Callable[..., Any]


@dataclasses.dataclass(frozen=True)
class Speed:
    """The result of one measurement of speed."""

    id: str
    num_envs: int
    env_steps_per_second: float
    compile_seconds: float
    device: str
    precision: str
    interface: str
    solver: str | None
    evaluations_per_step: int | None
    interval_seconds: float | None
    steps_per_call: int
    peak_memory_mb: float
    jax: str


def measure(
    id: str,
    num_envs: int,
    precision: str,
    solver: str | None,
    steps_per_call: int,
    seconds: float,
    interface: str = "functional",
) -> Speed:
    """Measure a model by its name or an environment by its id, called as a function or through Gymnasium."""
    for name, count in (("num_envs", num_envs), ("steps_per_call", steps_per_call)):
        if count < 1:
            raise ValueRangeError(name, count, "at least 1")
    for kind, choice, known in (("precision", precision, PRECISIONS), ("interface", interface, INTERFACES)):
        if choice not in known:
            raise UnknownNameError(kind, choice, known)
    if precision == "float64":
        jax.config.update("jax_enable_x64", True)
    if interface == "gymnasium" and (id == "greenlight" or steps_per_call != 1):
        raise ValueRangeError("interface", interface, "functional for a model, or for several steps per call")
    if id == "greenlight":
        model = GreenLight() if solver is None else GreenLight(solver=solver)
        return measure_greenlight(num_envs, precision, model, steps_per_call, seconds)
    options = {"solver": solver} if solver is not None else {}
    if "precision" in inspect.signature(registry.ENVIRONMENTS[id]).parameters or precision != "float32":
        options["precision"] = precision
    if interface == "gymnasium":
        return measure_gymnasium(id, num_envs, options, seconds)
    return measure_environment(id, num_envs, options, steps_per_call, seconds)


def typical_points(num_envs: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return states, controls and weather of a mature crop in spring, each (num_envs, quantities), a little different
    in every environment.
    """
    generator = np.random.default_rng(seed)
    state = {q.symbol: 18.0 for q in quantities(State)} | {
        "co2Air": 800.0, "co2Top": 790.0, "vpAir": 1600.0, "vpTop": 1400.0, "tTop": 15.0, "tCovIn": 11.0, "tCovE": 10.5,
        "tPipe": 35.0, "cBuf": 3000.0, "cLeaf": 9e4, "cStem": 2.5e5, "cFruit": 2.8e5, "tCanSum": 3000.0, "time": 60.0,
    }  # fmt: skip
    weather = {
        "iGlob": 250.0, "tOut": 9.0, "vpOut": 950.0, "co2Out": 750.0, "wind": 4.0, "tSky": -3.0, "tSoOut": 9.0,
        "dayRadSum": 9.0, "isDay": 0.9, "isDaySmooth": 0.9,
    }  # fmt: skip
    centre = np.array([state[q.symbol] for q in quantities(State)])
    outside = np.array([weather[q.symbol] for q in quantities(Weather)])

    def spread(middle: np.ndarray) -> np.ndarray:
        return np.asarray(middle * generator.uniform(0.97, 1.03, (num_envs, middle.size)))

    return spread(centre), generator.uniform(0.0, 1.0, (num_envs, len(names(Control)))), spread(outside)


def measure_greenlight(
    num_envs: int,
    precision: str = "float32",
    model: GreenLight | None = None,
    steps_per_call: int = 1,
    seconds: float = 2.0,
) -> Speed:
    """Step a batch of greenhouses with new random controls at every step."""
    model = model or GreenLight()
    parameters = load_parameters("greenlight_gym_1p4ha_led")
    # Quantities first: three arrays go in, whatever the number of fields; one environment has fields of no dimension.
    states, controls, weather = (
        jnp.asarray(points.T if num_envs > 1 else points[0], precision) for points in typical_points(num_envs)
    )
    controls = jnp.stack([jnp.roll(controls, shift, axis=0) for shift in range(steps_per_call)])

    def unpack(cls: Any, packed: Any) -> Any:
        return unstack(cls, jnp.moveaxis(packed, 0, -1))

    def step(packed: Any, control: Any, weather: Any) -> tuple[Any, None]:
        after = model.advance(unpack(State, packed), unpack(Control, control), unpack(Weather, weather), parameters)
        return jnp.stack(jax.tree.leaves(after)), None

    compiled = _compiled(step)
    first_call, rate = _timed(lambda packed: compiled(packed, controls, weather)[0], states, seconds)
    return _speed("greenlight", num_envs, rate, first_call, precision, model, steps_per_call)


def measure_environment(id: str, num_envs: int, options: dict[str, Any], steps_per_call: int, seconds: float) -> Speed:
    """Step a batch of environments with new random actions at every step."""
    env = registry.make(id, **options)
    params = env.default_params
    keys = jax.random.split(jax.random.key(0), num_envs) if num_envs > 1 else jax.random.key(0)
    reset, sample = env.initial, env.action_space.sample
    transition: Function = partial(checked_transition, env)
    if num_envs > 1:
        reset, sample = jax.vmap(reset, (0, None)), jax.vmap(sample)
        transition = jax.vmap(transition, (0, 0, 0, None))
    actions = jnp.stack([sample(jax.vmap(jax.random.fold_in, (0, None))(keys, step) if num_envs > 1 else keys)
                         for step in range(steps_per_call)])  # fmt: skip
    _, start = jax.jit(lambda: reset(keys, params))()
    packing = Packing(start)

    def step(state: Any, action: Any) -> tuple[Any, Any]:
        observation, state, reward, _, _, _ = transition(keys, state, action, params)
        return state, (observation, reward)

    compiled = _compiled(step, packing)
    first_call, rate = _timed(lambda packed: compiled(packed, actions)[0], packing.pack(start), seconds)
    precision = options.get("precision", "float32")
    return _speed(id, num_envs, rate, first_call, precision, getattr(env, "model", None), steps_per_call)


def measure_gymnasium(id: str, num_envs: int, options: dict[str, Any], seconds: float) -> Speed:
    """Step through `gymnasium.make`, or through `make_vec` for more than one: NumPy in, NumPy out, resets included."""
    import gymnasium
    from gymnasium.envs.registration import EnvSpec

    made: Any = id
    if id not in registry.ENVIRONMENTS:  # "module:Class"; Gymnasium would import the module and look for the id "Class"
        made = EnvSpec("measured/Environment-v0", **ENTRY_POINTS, kwargs={"env_id": id})
    env: Any = gymnasium.make(made, **options) if num_envs == 1 else gymnasium.make_vec(made, num_envs, **options)
    env.action_space.seed(0)
    actions = [env.action_space.sample() for _ in range(64)]
    env.reset(seed=0)
    count = 0

    def step(_: Any) -> Any:
        nonlocal count
        observation, _, terminated, truncated, _ = env.step(actions[count % len(actions)])
        count += 1
        if num_envs == 1 and (terminated or truncated):
            observation, _ = env.reset()
        return observation

    first_call, rate = _timed(step, None, seconds)
    model = getattr(env.unwrapped.environment, "model", None)
    env.close()
    precision = options.get("precision", "float32")
    return _speed(id, num_envs, rate, first_call, precision, model, 1, "gymnasium")


def _compiled(step: Function, packing: Packing | None = None) -> Function:
    """Return a compiled function of a state, which may be packed, and of inputs, with a step for each row."""

    @single_kernel
    def call(packed: Any, inputs: Any, *held: Any) -> Any:
        state = packed if packing is None else packing.unpack(packed)
        state, outcomes = jax.lax.scan(lambda now, each: step(now, each, *held), state, inputs)
        return (state if packing is None else packing.pack(state)), outcomes

    return jax.jit(call)


def _timed(function: Callable[[Any], Any], start: Any, seconds: float) -> tuple[float, float]:
    """Return the seconds of the first call, and calls per second: the median of repeats that feed on their results."""
    began = time.perf_counter()
    value = jax.block_until_ready(function(start))
    first_call = time.perf_counter() - began
    began = time.perf_counter()
    value = jax.block_until_ready(function(value))
    count = max(1, int(seconds / REPEATS / max(time.perf_counter() - began, 1e-7)))
    rates = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        for _ in range(count):
            value = function(value)
        jax.block_until_ready(value)
        rates.append(count / (time.perf_counter() - began))
    return first_call, statistics.median(rates)


def _speed(
    id: str,
    num_envs: int,
    rate: float,
    first_call: float,
    precision: str,
    model: Any,
    steps_per_call: int,
    interface: str = "functional",
) -> Speed:
    """Return the speed of a `model`: a GreenLight, or anything else that has neither solver nor interval."""
    return Speed(
        id=id,
        num_envs=num_envs,
        env_steps_per_second=rate * num_envs * steps_per_call,
        compile_seconds=first_call - 1.0 / rate,
        device=jax.devices()[0].device_kind,
        precision=precision,
        interface=interface,
        solver=getattr(model, "solver", None),
        evaluations_per_step=getattr(model, "evaluations", None),
        interval_seconds=getattr(model, "interval", None),
        steps_per_call=steps_per_call,
        peak_memory_mb=peak_memory_mb(),
        jax=jax.__version__,
    )


def peak_memory_mb() -> float:
    """Return the peak memory of the device [MB], or of the process where the device does not report it."""
    statistics_of_device = jax.devices()[0].memory_stats()
    if statistics_of_device and "peak_bytes_in_use" in statistics_of_device:
        return float(statistics_of_device["peak_bytes_in_use"]) / 2**20
    unit = 1024.0 if sys.platform != "darwin" else 1024.0**2
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
