"""Environment steps per second of the models, with compile time and memory."""

from __future__ import annotations

import dataclasses
import resource
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.adapters.packing import Packing
from phytotron.core import registry
from phytotron.core.compilation import single_kernel
from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.core.fields import names, quantities, unstack
from phytotron.models.greenlight import Control, GreenLight, State, Weather, load_parameters

INTERFACES = ("functional", "gymnasium")
PRECISIONS = {"float32": jnp.float32, "float64": jnp.float64}


@dataclasses.dataclass(frozen=True)
class Speed:
    """What one measurement found."""

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
    if num_envs < 1:
        raise ValueRangeError("num_envs", num_envs, "at least 1")
    if steps_per_call < 1:
        raise ValueRangeError("steps_per_call", steps_per_call, "at least 1")
    if precision not in PRECISIONS:
        raise UnknownNameError("precision", precision, PRECISIONS)
    if interface not in INTERFACES:
        raise UnknownNameError("interface", interface, INTERFACES)
    if precision == "float64":
        jax.config.update("jax_enable_x64", True)
    options = {"precision": precision} | ({} if solver is None else {"solver": solver})
    if interface == "gymnasium":
        if id == "greenlight" or steps_per_call != 1:
            raise ValueRangeError("interface", interface, "functional for a model, or for several steps per call")
        return measure_gymnasium(id, num_envs, options, seconds)
    if id == "greenlight":
        model = GreenLight() if solver is None else GreenLight(solver=solver)
        return measure_greenlight(num_envs, precision, model, steps_per_call, seconds)
    return measure_environment(id, num_envs, options, steps_per_call, seconds)


def typical_points(num_envs: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A mature crop in spring, every environment a little different: states, controls, weather as (n, quantity)."""
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
    repeats: int = 5,
) -> Speed:
    """Step a batch of greenhouses with new random controls at every step; the median of several repeats counts."""
    model = model or GreenLight()
    parameters = load_parameters("greenlight_gym_1p4ha_led")
    dtype = PRECISIONS[precision]
    # Quantities first: three arrays go in, whatever the number of fields; one environment has fields of no dimension.
    states, controls, weather = (
        jnp.asarray(points.T if num_envs > 1 else points[0], dtype) for points in typical_points(num_envs)
    )
    controls = jnp.stack([jnp.roll(controls, shift, axis=0) for shift in range(steps_per_call)])

    @single_kernel
    def call(packed: Any, sequence: Any, weather: Any) -> Any:
        def step(packed: Any, control: Any) -> tuple[Any, None]:
            after = model.advance(unpack(State, packed), unpack(Control, control), unpack(Weather, weather), parameters)
            return jnp.stack(jax.tree.leaves(after)), None

        return jax.lax.scan(step, packed, sequence)[0]

    compiled = jax.jit(call)
    started = time.perf_counter()
    jax.block_until_ready(compiled(states, controls, weather))
    first_call = time.perf_counter() - started
    rate = calls_per_second(lambda packed: compiled(packed, controls, weather), states, seconds, repeats)
    return _speed("greenlight", num_envs, rate, first_call, precision, model, steps_per_call, "functional")


def _speed(
    id: str,
    num_envs: int,
    rate: float,
    first_call: float,
    precision: str,
    model: Any,
    steps_per_call: int,
    interface: str,
) -> Speed:
    """`model` is a GreenLight, or anything else that has neither solver nor interval."""
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


def measure_environment(
    id: str, num_envs: int, options: dict[str, Any], steps_per_call: int, seconds: float, repeats: int = 5
) -> Speed:
    """Step a batch of environments with new random actions at every step."""
    env = registry.make(id, **options)
    params = env.default_params
    keys = jax.random.split(jax.random.key(0), num_envs) if num_envs > 1 else jax.random.key(0)
    reset, transition, sample = env.initial, env.transition, env.action_space.sample
    if num_envs > 1:
        reset, sample = jax.vmap(reset, (0, None)), jax.vmap(sample)
        transition = jax.vmap(transition, (0, 0, 0, None))
    actions = jnp.stack([sample(jax.vmap(jax.random.fold_in, (0, None))(keys, step) if num_envs > 1 else keys)
                         for step in range(steps_per_call)])  # fmt: skip

    _, start = jax.jit(lambda: reset(keys, params))()
    packing = Packing(start)

    @single_kernel
    def call(packed: Any, actions: Any) -> Any:
        def step(state: Any, action: Any) -> tuple[Any, Any]:
            observation, state, reward, _, _, _ = transition(keys, state, action, params)
            return state, (observation, reward)

        state, outcomes = jax.lax.scan(step, packing.unpack(packed), actions)
        return packing.pack(state), outcomes

    compiled = jax.jit(call)
    packed = packing.pack(start)
    began = time.perf_counter()
    jax.block_until_ready(compiled(packed, actions))
    first_call = time.perf_counter() - began
    rate = calls_per_second(lambda packed: compiled(packed, actions)[0], packed, seconds, repeats)
    model = getattr(env, "model", None)
    return _speed(id, num_envs, rate, first_call, options["precision"], model, steps_per_call, "functional")


def measure_gymnasium(id: str, num_envs: int, options: dict[str, Any], seconds: float, repeats: int = 5) -> Speed:
    """Step through `gymnasium.make`, or `make_vec` for more than one: NumPy in, NumPy out; ends of episodes count."""
    import gymnasium

    env: Any
    if num_envs == 1:
        env = gymnasium.make(id, **options)
        inner = env.unwrapped.environment
    else:
        env = gymnasium.make_vec(id, num_envs=num_envs, **options)
        inner = env.environment
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

    began = time.perf_counter()
    step(None)
    first_call = time.perf_counter() - began
    rate = calls_per_second(step, None, seconds, repeats)
    env.close()
    model = getattr(inner, "model", None)
    return _speed(id, num_envs, rate, first_call, options["precision"], model, 1, "gymnasium")


def unpack(cls: Any, packed: Any) -> Any:
    return unstack(cls, jnp.moveaxis(packed, 0, -1))


def calls_per_second(function: Callable[[Any], Any], start: Any, seconds: float, repeats: int) -> float:
    """The median rate of calls that feed on each other's result."""
    value = jax.block_until_ready(function(start))
    began = time.perf_counter()
    value = jax.block_until_ready(function(value))
    count = max(1, int(seconds / repeats / max(time.perf_counter() - began, 1e-7)))
    rates = []
    for _ in range(repeats):
        began = time.perf_counter()
        for _ in range(count):
            value = function(value)
        jax.block_until_ready(value)
        rates.append(count / (time.perf_counter() - began))
    return statistics.median(rates)


def peak_memory_mb() -> float:
    """Peak memory of the device, or of the process where the device does not tell."""
    statistics_of_device = jax.devices()[0].memory_stats()
    if statistics_of_device and "peak_bytes_in_use" in statistics_of_device:
        return float(statistics_of_device["peak_bytes_in_use"]) / 2**20
    unit = 1024.0 if sys.platform != "darwin" else 1024.0**2
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
