"""Episodes in JavaScript are those of JAX: one step to 1e-9, ten days to 1e-6."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from javascript import EPISODE, call, in_node, needs_node, plain
from jax import Array
from toy_environments import Corridor

import phytotron
from phytotron.browser.compiler.module import numbers
from phytotron.browser.content import control_quantities
from phytotron.browser.episode import Episodes
from phytotron.browser.rivals import _by_competitor, trained_agent
from phytotron.browser.settings import SETTINGS
from phytotron.core.controller import Controller
from phytotron.core.errors import UnknownNameError
from phytotron.core.presentation import Competitor
from phytotron.core.registry import make_environment
from phytotron.episodes.engine import one_start, windows

STEP, TEN_DAYS = 1e-9, 1e-6  # largest differences, relative to values of 1 and more
SECONDS = 3.0  # for ten days of five minutes each
IN_SINGLE = 2e-7  # of what the task itself computes in float32


def episodes(id: str, starts: int = 1, **options: Any) -> Episodes:
    env = phytotron.make(id, precision="float64", **options)
    return Episodes(env, windows(env, episodes=starts))


def random_actions(made: Episodes, steps: int) -> list[Any]:
    keys = jax.random.split(jax.random.key(1), steps // 12 + 1)
    draws = [np.asarray(made.env.action_space.sample(key)) for key in keys]
    return [draws[step // 12] for step in range(steps)]


def compared(folder: Path, made: Episodes, steps: int, number: int = 0) -> tuple[np.ndarray, float]:
    """The largest difference of every step of an episode under random actions, and the seconds of node."""
    window, params = made.windows[number], made.params[number]
    actions = random_actions(made, steps)
    size = sum(each.size for each in made.module.outputs["step"])
    head = plain(np.concatenate([window.state, window.observation]))
    given = {"head": head, "actions": [plain(each) for each in actions], "size": size}
    found = in_node(folder, made.module, EPISODE, given | {"given": [plain(each) for each in window.given]})
    transition = jax.jit(lambda state, action: made.env.transition(made.key, state, action, params)[:5])
    state, worst = made.beginnings[number][1], []
    for action, row in zip(actions, found["results"], strict=True):
        observation, state, *rest = transition(state, jnp.asarray(action, made.env.action_space.dtype))
        expected = numbers((state, observation, *rest))
        worst.append(np.max(np.abs(np.array(row[: expected.size]) - expected) / np.maximum(np.abs(expected), 1.0)))
    return np.array(worst), found["seconds"]


class Keyed(Controller):
    """Its memory is a random key."""

    def start(self, key: Array) -> Array:
        return key

    def act(self, key: Array, memory: Array, observation: Array, state: Any, params: Any) -> tuple[Array, Array]:
        return jax.random.randint(memory, (), 0, 3, jnp.int32), jax.random.split(memory)[0]


def test_a_rival_that_keeps_a_random_key_is_recorded() -> None:
    env = Corridor()
    made = Episodes(env, windows(env, episodes=1))
    found = _by_competitor(made, "keyed", Competitor("keyed", "", env, (Keyed(),)), "rival0")
    assert found.function is None and found.outcomes["episode 0"].shape == (20, 3)


@needs_node
def test_a_day_of_lettuce_is_that_of_jax(tmp_path: Path) -> None:
    worst, _ = compared(tmp_path, episodes("phytotron/Lettuce-v0", episode_days=1.0), 48)
    assert worst.max() < IN_SINGLE  # the share of the season that is over is computed in float32


@pytest.mark.slow
@needs_node
def test_weeks_of_wheat_are_those_of_jax_in_every_season(tmp_path: Path) -> None:
    made = episodes("phytotron/WheatNitrogen-v0", 2)
    for number in range(2):
        worst, _ = compared(tmp_path, made, 30, number)
        assert worst[0] < STEP and worst.max() < TEN_DAYS


@needs_node
def test_other_greenhouses_run_by_the_same_function(tmp_path: Path) -> None:
    plain, leaky = (
        phytotron.make("phytotron/Lettuce-v0", precision="float64", episode_days=1.0, parameter_overrides=overrides)
        for overrides in ({}, {"leakage": 0.75e-4})
    )
    made = Episodes(plain, windows(plain), [(leaky, windows(leaky))])
    window = made.variants[0][0]
    head = np.concatenate([window.state, window.observation, [0.5, 0.5, 0.5]])
    (found,) = call(tmp_path, made.module, [("step", head, window.given)])
    params = leaky.narrowed(one_start(windows(leaky), 0))
    _, state = leaky.initial(made.key, params)
    expected = numbers(leaky.transition(made.key, state, jnp.full(3, 0.5), params)[1])
    np.testing.assert_allclose(found[: expected.size], expected, rtol=STEP, atol=STEP)
    tight = numbers(plain.transition(made.key, state, jnp.full(3, 0.5), made.params[0])[1])
    assert np.any(tight != expected)


@needs_node
def test_what_a_person_wants_becomes_the_action_of_the_schedule(tmp_path: Path) -> None:
    made = episodes("phytotron/Lettuce-v0", episode_days=1.0)
    quantities = control_quantities(made.env, ("heating", "ventilation"))
    made.add_act(quantities)
    wanted = np.array([60.0, np.nan])
    (action,) = call(tmp_path, made.module, [("act", np.concatenate([wanted, made.windows[0].state]), ())])
    said = {each.name: value for each, value in zip(quantities, wanted, strict=True)}
    np.testing.assert_allclose(action, made.env.scheduling.act(said, made.state, made.params[0]), rtol=STEP, atol=STEP)
    assert action[1] == 0.0 and action[2] > 0.0  # ventilation stays, heating rises


@needs_node
def test_rules_act_in_javascript_as_in_jax(tmp_path: Path) -> None:
    made = episodes("phytotron/Lettuce-v0", episode_days=1.0)
    rules = made.env.baselines["rule-based"](made.env).controllers[0]
    memory = made.add_controller("rules", rules)
    seen = np.concatenate([memory, made.windows[0].observation, made.windows[0].state])
    (found,) = call(tmp_path, made.module, [("rules", seen, ())])
    expected, _ = rules.act(made.key, (), made.observation, made.state, made.params[0])
    np.testing.assert_allclose(found[:3], expected, rtol=STEP, atol=STEP)


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("id", [id for id, settings in SETTINGS.items() if settings.agent])
def test_a_trained_agent_acts_in_javascript_as_in_jax(id: str, tmp_path: Path) -> None:
    settings = SETTINGS[id]
    env = make_environment(settings.task or id, {**settings.options, "precision": "float64"})
    made = Episodes(env, windows(env, episodes=1))
    agent = trained_agent(str(settings.agent), env)
    made.add_controller("agent", agent)
    window = made.windows[0]
    (found,) = call(
        tmp_path, made.module, [("agent", np.concatenate([window.observation, window.state]), window.given)]
    )
    expected, _ = agent.act(made.key, (), made.observation, made.state, made.params[0])
    np.testing.assert_allclose(found, np.ravel(expected), rtol=1e-4, atol=1e-5)  # a network in float32


def test_narrowed_parameters_have_the_weather_of_their_window_and_little_more() -> None:
    env: Any = phytotron.make("phytotron/Greenhouse-v0", precision="float64", years=2009, first_day=201)
    full = one_start(windows(env), 0)
    narrow = env.narrowed(full)
    assert narrow.weather.days == 12 and int(narrow.start_days[0]) == 0
    for step in (0, 700, env.episode_steps + 288):  # the last one a day after the end, for a forecast
        here = env.clock.weather(narrow.weather, narrow.start_days[0], jnp.asarray(step))
        there = env.clock.weather(full.weather, full.start_days[0], jnp.asarray(step))
        assert jax.tree.leaves(here) == jax.tree.leaves(there)


def test_a_control_that_the_task_does_not_have_is_named() -> None:
    env = phytotron.make("phytotron/Lettuce-v0")
    with pytest.raises(UnknownNameError, match="control of phytotron/Lettuce-v0 'heat'"):
        control_quantities(env, ("heat",))


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("id", SETTINGS)
def test_every_task_of_the_package_runs_in_javascript_as_in_jax(id: str, tmp_path: Path) -> None:
    settings = SETTINGS[id]
    env = make_environment(settings.task or id, {**settings.options, "precision": "float64"})
    made = Episodes(env, windows(env, episodes=1))
    daily = env.presentation.timeline.steps_per_day
    steps = 10 * daily if daily else env.episode_steps - 6
    worst, seconds = compared(tmp_path, made, steps)
    print(f"{id}: {steps} steps in {seconds:.2f} s, one step {worst[0]:.1e}, all {worst.max():.1e}")
    assert worst[0] < (STEP if id != "phytotron/Lettuce-v0" else IN_SINGLE)
    assert worst.max() < TEN_DAYS
    if id == "phytotron/Greenhouse-v0":
        assert seconds < SECONDS
