"""Environments in weather that no crop should see, with parameters at the ends of their ranges, give numbers."""

from __future__ import annotations

import inspect
from datetime import UTC, datetime
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from robustness_records import record

from phytotron.core import registry
from phytotron.core.errors import PhytotronError
from phytotron.core.fields import Quantity, quantities
from phytotron.weather.site import Provenance, Site
from phytotron.weather.table import WeatherTable, weather_table

HOURS = 2 * 366 * 24
COPIES, LENGTH = 30, 500  # environments at once, and steps of each: 15,000 for every task that is tried
OPTIONS: dict[str, dict[str, Any]] = {
    "phytotron/Greenhouse-v0": {"episode_days": 2.0},
    "phytotron/GreenhouseSetpoint-v0": {"episode_days": 10.0},
    "phytotron/WheatNitrogen-v0": {},
    "phytotron/Intercrop-v0": {},
    "phytotron/IntercropField-v0": {},
    "phytotron/IntercropField-v1": {},
    "phytotron/Lettuce-v0": {"episode_days": 4.0},
}
# mean and amplitude over the day of the air [°C], humidity [%], most radiation [W m-2], wind [m s-1], rain [mm h-1]
CLIMATES = {
    "Sahara": (36.0, 16.0, 5.0, 1200.0, 9.0, 0.0),
    "Siberia": (-33.0, 15.0, 85.0, 200.0, 4.0, 0.1),
    "hurricane": (27.0, 1.0, 100.0, 120.0, 45.0, 0.4),
    "polar night": (-35.0, 3.0, 90.0, 0.0, 6.0, 0.0),
    "noise": (0.0, 48.0, 50.0, 1450.0, 22.0, 0.2),
}


@cache
def extreme(name: str) -> WeatherTable:
    """Two years by the hour; "noise" jumps from hour to hour between the ends."""
    mean, amplitude, humidity, sun, wind, rain = CLIMATES[name]
    random, hour = np.random.default_rng(3), np.arange(HOURS)
    wave = random.uniform(-1.0, 1.0, HOURS) if name == "noise" else -np.cos(2.0 * np.pi * hour / 24.0)
    scale = random.uniform(0.0, 2.0, HOURS) if name == "noise" else np.ones(HOURS)
    temperature = mean + amplitude * wave
    columns = {
        "air_temperature": temperature,
        "relative_humidity": np.clip(humidity * scale, 0.0, 100.0),
        "global_radiation": sun * np.clip(wave, 0.0, 1.0),
        "wind_speed": np.clip(wind * scale, 0.0, 110.0),
        "sky_temperature": np.clip(temperature - 25.0, -110.0, 60.0),
        "soil_temperature": np.full(HOURS, float(np.clip(mean, -60.0, 60.0))),
        "rain": rain * scale,
    }
    place = Site(name, 52.0, 5.0, 0.0)
    return weather_table(columns, datetime(2011, 1, 1, tzinfo=UTC), 3600, place, Provenance("made for a test", "none"))


def at_the_ends(id: str, number: int) -> dict[str, float]:
    """Some numbers of the model of a task, each at one end of its range or, where that has none, far from its value."""
    options = inspect.signature(registry.ENVIRONMENTS[id]).parameters
    if "parameter_overrides" not in options:
        return {}
    model: Any = registry.make(id).default_params.model
    random, chosen = np.random.default_rng(number), {}
    numbers = [
        q for q in quantities(type(model)) if np.ndim(getattr(model, q.name, None)) == 0 and _is_number(model, q)
    ]
    for index in random.choice(len(numbers), 3, replace=False):
        q = numbers[index]
        value = float(getattr(model, q.name))
        low = q.low if np.isfinite(q.low) else value - abs(value)
        high = q.high if np.isfinite(q.high) else 3.0 * abs(value)
        chosen[q.name] = float(random.choice([max(low, 0.2 * value) if low == 1e-12 else low, high]))
    return chosen


def _is_number(model: Any, q: Quantity) -> bool:
    return isinstance(getattr(model, q.name), float | int | np.ndarray | jax.Array)


def rollout(env: Any) -> Any:
    """A compiled function of a key and parameters: whether all is finite and within bounds, and how episodes ended."""
    low, high = (jnp.asarray(bound) for bound in (env.observation_space.low, env.observation_space.high))

    def one(key: Any, params: Any) -> Any:
        def step(carry: Any, key: Any) -> Any:
            move, act, reset = jax.random.split(key, 3)
            observation, state, reward, terminated, truncated, info = env.transition(
                move, carry, env.action_space.sample(act), params
            )
            numbers = [leaf for leaf in jax.tree.leaves((state, reward, observation)) if _is_float(leaf)]
            finite = jnp.all(jnp.stack([jnp.all(jnp.isfinite(each)) for each in numbers]))
            within = (observation >= low) & (observation <= high)
            over = terminated | truncated
            begun = env.initial(reset, params)[1]
            state = jax.tree.map(lambda new, old: jnp.where(over, new, old), begun, state)
            return state, (finite, within, terminated, info.get("left", jnp.asarray(-1)))

        first, rest = jax.random.split(key)
        return jax.lax.scan(step, env.initial(first, params)[1], jax.random.split(rest, LENGTH))[1]

    return jax.jit(jax.vmap(one, (0, None)))


def _like(leaf: Any, precision: str) -> Any:
    """Arrays, so that changed numbers are no constants of what is compiled."""
    array = jnp.asarray(leaf)
    return array.astype(precision) if _is_float(array) else array


def _is_float(leaf: Any) -> bool:
    return bool(jnp.issubdtype(leaf.dtype, jnp.floating))


@pytest.mark.slow
@pytest.mark.parametrize("id", OPTIONS)
def test_a_hundred_thousand_steps_at_the_ends_of_the_earth_stay_within_bounds(id: str) -> None:
    env = registry.make(id, weather=extreme("Sahara"), **OPTIONS[id])
    run, tried, refused = rollout(env), 0, 0
    tasks = [(climate, {}) for climate in CLIMATES]
    tasks += [(climate, at_the_ends(id, number)) for number, climate in enumerate([*CLIMATES, *CLIMATES])]
    for number, (climate, changes) in enumerate(tasks):
        options = {"parameter_overrides": changes} if changes else {}
        try:
            made = registry.make(id, weather=extreme(climate), **OPTIONS[id], **options)
        except PhytotronError:  # numbers that contradict each other
            refused += 1
            continue
        params = jax.tree.map(lambda leaf: _like(leaf, env.precision), made.default_params)
        keys = jax.random.split(jax.random.key(number), COPIES)
        finite, within, terminated, left = map(np.asarray, run(keys, params))
        reasoned = terminated & (left >= 0)  # the task says which quantity left what is possible
        assert np.all(finite | reasoned), (climate, changes, "not finite")
        beyond = np.flatnonzero(~np.all(within | reasoned[..., None], axis=(0, 1))) if not changes else np.zeros(0, int)
        assert not beyond.size, (climate, changes, [env.observation_space.names[n] for n in beyond])
        tried += finite.size
    assert tried >= 100_000, (tried, refused)
    record("stress", f"random steps of {id} in extreme weather", tried, 0)
