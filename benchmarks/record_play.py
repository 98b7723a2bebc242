"""Record what predictive control does in the windows of the pages of `phytotron play`, and plan the oracle from there.

    python benchmarks/record_play.py phytotron/Lettuce-v0

writes both into the package, where the page finds them; what is there already stays where it is better.

    python benchmarks/record_play.py --measure

writes all pages and prints their sizes, how far they agree with JAX under random actions, and the seconds of ten days
(or of a season) in Chromium, as rows of the tables of docs/play.md.
"""

import argparse
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.browser.command import chosen_settings
from phytotron.browser.compiler.module import numbers
from phytotron.browser.content import make_content
from phytotron.browser.page import write_page
from phytotron.browser.rivals import PREDICTIVE, RECORDED
from phytotron.browser.settings import SETTINGS, settings_of
from phytotron.core.controller import Controller, Memory
from phytotron.core.environment import Environment, Starts
from phytotron.core.registry import make_environment
from phytotron.core.spaces import Box, Discrete
from phytotron.episodes.engine import find_start, one_start, some, windows
from phytotron.episodes.open_loop import follow
from phytotron.episodes.recording import run_episodes
from phytotron.planning.cross_entropy import search
from phytotron.planning.hindsight import make_plans
from phytotron.planning.mpc import mpc
from phytotron.planning.plans import COMMITTED, FEW_LEVELS, Plan, keep_plans

CANDIDATES, ROUNDS = 24, 20  # of a search for choices that are held for days
PARTS_OF_A_DAY = (0, 6, 19)  # hours at which one begins


@dataclass(frozen=True)
class Recipe:
    """Options of the planner's own model, options of predictive control, and gradient steps of the oracle."""

    model: Mapping[str, Any] = field(default_factory=dict)
    control: Mapping[str, Any] | None = field(default_factory=dict)  # None: without predictive control
    iterations: int = 90
    held_days: int = 0  # for which choices are held in a search for the oracle; 0: a plan by the usual way


RECIPES = {
    "phytotron/Greenhouse-v0": Recipe(model={"substeps": 8}),
    "phytotron/GreenhouseSetpoint-v0": Recipe(model={"substeps": 8}, control={"horizon_hours": 48}, held_days=10),
    "phytotron/Intercrop-v0": Recipe(iterations=300),
    "phytotron/IntercropField-v0": Recipe(iterations=300),
    "phytotron/IntercropField-v1": Recipe(iterations=300),
    "phytotron/WheatNitrogen-v0": Recipe(iterations=300),
    "phytotron/Lettuce-v0": Recipe(control={"horizon_hours": 12, "iterations": 15}, iterations=400),
}


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class Rounded(Controller):
    """A controller of a task with continuous actions, in the one that has whole numbers instead."""

    controller: Any

    def start(self, key: Array) -> Memory:
        """That of the controller."""
        return self.controller.start(key)

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """The nearest whole number."""
        action, memory = self.controller.act(key, memory, observation, state, params)
        return jnp.round(action).astype(jnp.int32), memory


def predictive(planner: Environment[Any, Any], options: Mapping[str, Any]) -> Controller:
    """Predictive control; choices of many short steps are planned as if anything between them could be chosen."""
    timeline = planner.presentation.timeline
    relaxed = planner.relaxed() if timeline is not None and timeline.interval < 1.0 else None
    if isinstance(planner.action_space, Box) or relaxed is None:
        return mpc(planner, **options)
    return Rounded(mpc(relaxed, **options))


def held_plans(env: Environment[Any, Any], starts: Starts, days: int) -> dict[str, Plan]:
    """The best choices that are held for some days, by part of the day, that a search finds."""
    timeline = env.presentation.timeline
    assert isinstance(env.action_space, Discrete) and timeline is not None
    hours = 24.0 * timeline.interval * np.arange(env.episode_steps)
    part = np.searchsorted(PARTS_OF_A_DAY, hours % 24.0, side="right") - 1
    place = (hours // (24.0 * days)).astype(int) * len(PARTS_OF_A_DAY) + part
    highest = env.action_space.n - 1
    keys = jax.random.split(jax.random.key(0), len(starts.labels))
    value = jax.jit(jax.vmap(lambda plan, key, params: follow(env, key, plan, params).total, (0, None, None)))

    def planned(points: NDArray[np.float64]) -> NDArray[np.int32]:
        return np.round(highest * points[:, place]).astype(np.int32)

    found = {}
    for n, label in enumerate(starts.labels):
        params = one_start(starts, n)
        known = np.stack([np.full(place.max() + 1, low / highest) for low in (2, 1, 0)])
        best = search(lambda points, _: value(planned(points), keys[n], params), known, CANDIDATES, ROUNDS)  # noqa: B023
        found[label] = Plan(planned(best.best[None])[0], best.value, best.history)
        print(label, best.value, flush=True)
    return found


def chosen_starts(env: Environment[Any, Any], labels: tuple[str, ...]) -> Starts:
    """The windows of the page."""
    starts = windows(env)
    return some(starts, np.array([find_start(env, starts, label) for label in labels])) if labels else starts


def record(id: str, recipe: Recipe) -> None:
    """Record all windows of a page at once."""
    settings = settings_of(id)
    task = settings.task or id
    env = make_environment(task, settings.options)
    planner = make_environment(task, {**settings.options, **recipe.model})
    starts = chosen_starts(env, settings.windows)
    keys = jax.random.split(jax.random.key(0), len(starts.labels))
    kept: dict[str, Plan] = {}
    if recipe.control is not None:
        controller = predictive(planner, recipe.control)
        played = run_episodes(env, controller, keys, env.episode_steps, starts.params, starts.axes)
        done = zip(starts.labels, played.action, played.reward.sum(axis=1), strict=True)
        kept = {label: Plan(actions, float(value), ()) for label, actions, value in done}
        print(keep_plans(env, kept, PREDICTIVE, RECORDED, FEW_LEVELS), {k: plan.value for k, plan in kept.items()})
    if recipe.held_days:
        plans = held_plans(env, starts, recipe.held_days)
    else:
        plans = make_plans(env, starts, iterations=recipe.iterations, beginnings=[kept])
    print(keep_plans(env, plans, folder=COMMITTED, levels=FEW_LEVELS), {k: plan.value for k, plan in plans.items()})


PLAYED = """([actions, count]) => {
    const { task, Run } = phytotron;
    const seconds = [0, 1].map(() => {
        const run = new Run(task, task.windows[0], ({ step }) => actions[step]);
        const before = performance.now();
        for (let n = 0; n < count && !run.over; n++) run.advance();
        globalThis.measured = run;
        return (performance.now() - before) / 1000;
    });
    return [seconds, measured.heads.slice(1).map((each) => Array.from(each))];
}"""


def measure(id: str, browser: Any, folder: Path) -> str:
    """Write a page, run it under random actions beside JAX, and return a row of what was found."""
    content = make_content(id, chosen_settings(id, {}))
    path = folder / "page.html"
    size = write_page(content, path)
    place = content.data["places"][0]
    env = make_environment(content.data["environment"]["id"], place["options"])
    daily = env.presentation.timeline.steps_per_day
    steps = 10 * daily if daily else env.episode_steps - 6
    draws = [np.asarray(env.action_space.sample(key)) for key in jax.random.split(jax.random.key(1), steps // 12 + 1)]
    actions = [draws[step // 12] for step in range(steps)]
    page = browser.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("body.ready", timeout=60_000)
    seconds, heads = page.evaluate(PLAYED, [[np.ravel(each).astype(float).tolist() for each in actions], steps])
    page.close()
    starts = windows(env)
    params = one_start(starts, starts.labels.index(place["windows"][0]["label"]))
    key = jax.random.key(0)
    transition = jax.jit(lambda state, action: env.transition(key, state, action, params)[:2])
    state, worst = env.initial(key, params)[1], []
    for action, head in zip(actions, heads, strict=False):
        observation, state = transition(state, jnp.asarray(action, env.action_space.dtype))
        expected = numbers((state, observation))
        worst.append(np.max(np.abs(np.array(head) - expected) / np.maximum(np.abs(expected), 1.0)))
    rivals = ", ".join(each["label"] for each in content.data["rivals"])
    shown = f"| `{id.rpartition('/')[2]}` | {size / 1e6:.2f} | {len(worst):,} | {worst[0]:.0e} | {max(worst):.0e} |"
    return f"{shown} {seconds[0]:.2f}, then {seconds[1]:.2f} | {rivals} |"


def measure_all() -> None:
    """Print a row of every page of the package."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder, jax.enable_x64(True):
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        print(f"Chromium {browser.version}", flush=True)
        for id in SETTINGS:
            print(measure(id, browser, Path(folder)), flush=True)
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("id", nargs="?", choices=RECIPES)
    parser.add_argument("--measure", action="store_true")
    chosen = parser.parse_args()
    if chosen.measure:
        measure_all()
    elif chosen.id is None:
        parser.error("name a task, or give --measure")
    else:
        record(chosen.id, RECIPES[chosen.id])
