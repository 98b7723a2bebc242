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
from phytotron.core.environment import Environment, Starts
from phytotron.core.registry import make_environment
from phytotron.core.spaces import Discrete
from phytotron.episodes.engine import find_start, one_start, some, windows
from phytotron.episodes.open_loop import follow, follow_from
from phytotron.episodes.recording import run_episodes
from phytotron.planning.cross_entropy import search
from phytotron.planning.hindsight import make_plans
from phytotron.planning.mpc import mpc
from phytotron.planning.plans import COMMITTED, FEW_LEVELS, Plan, keep_plans

CANDIDATES, ROUNDS = 24, 20  # of a search for choices that are held for days
FEWER_CANDIDATES, FEWER_ROUNDS = 16, 4  # of a search that begins from the plan of some days before
HORIZON_DAYS, EVERY_DAYS = 20, 5  # of predictive control by such a search
PARTS_OF_A_DAY = (0, 6, 19)  # hours at which one begins


@dataclass(frozen=True)
class Recipe:
    """Options of the planner's own model, options of predictive control, and gradient steps of the oracle."""

    model: Mapping[str, Any] = field(default_factory=dict)
    control: Mapping[str, Any] | None = field(default_factory=dict)  # None: without predictive control
    iterations: int = 90
    held_days: int = 0  # for which choices are held in searches; 0: predictive control and a plan by the usual way


RECIPES = {
    "phytotron/Greenhouse-v0": Recipe(model={"substeps": 8}),
    "phytotron/GreenhouseSetpoint-v0": Recipe(held_days=10),
    "phytotron/Intercrop-v0": Recipe(iterations=300),
    "phytotron/IntercropField-v0": Recipe(iterations=300),
    "phytotron/IntercropField-v1": Recipe(iterations=300),
    "phytotron/WheatNitrogen-v0": Recipe(iterations=300),
    "phytotron/Lettuce-v0": Recipe(control={"horizon_hours": 12, "iterations": 15}, iterations=400),
}


@dataclass(frozen=True)
class HeldChoices:
    """Plans of choices that are held for some days, by part of the day, as points of a unit cube to search."""

    env: Environment[Any, Any]
    days: int  # for which choices are held

    @property
    def highest(self) -> int:
        """The last choice."""
        assert isinstance(self.env.action_space, Discrete)
        return self.env.action_space.n - 1

    def places(self, steps: int) -> NDArray[np.int64]:
        """For each step from midnight, the dimension of the cube that holds its choice."""
        timeline = self.env.presentation.timeline
        assert timeline is not None
        hours = 24.0 * timeline.interval * np.arange(steps)
        part = np.searchsorted(PARTS_OF_A_DAY, hours % 24.0, side="right") - 1
        return (hours // (24.0 * self.days)).astype(int) * len(PARTS_OF_A_DAY) + part

    def planned(self, points: NDArray[np.float64], steps: int) -> NDArray[np.int32]:
        """The choices (points, steps) of points (points, dimensions)."""
        return np.round(self.highest * points[:, self.places(steps)]).astype(np.int32)

    def known(self, steps: int) -> NDArray[np.float64]:
        """Points to begin from: one of the lowest three choices, all the time."""
        return np.stack([np.full(self.places(steps).max() + 1, low / self.highest) for low in (2, 1, 0)])


def held_plans(env: Environment[Any, Any], starts: Starts, days: int) -> dict[str, Plan]:
    """The best choices that are held for some days that a search finds with all weather known."""
    held, steps, key = HeldChoices(env, days), env.episode_steps, jax.random.key(0)
    value = jax.jit(jax.vmap(lambda plan, params: follow(env, key, plan, params).total, (0, None)))
    found = {}
    for n, label in enumerate(starts.labels):
        params = one_start(starts, n)
        values = lambda points, _: value(held.planned(points, steps), params)  # noqa: B023, E731
        best = search(values, held.known(steps), CANDIDATES, ROUNDS)
        found[label] = Plan(held.planned(best.best[None], steps)[0], best.value, best.history)
        print(label, best.value, flush=True)
    return found


def held_control(env: Environment[Any, Any], starts: Starts, days: int) -> dict[str, Plan]:
    """Predictive control by the same search: it plans HORIZON_DAYS ahead, and again after each EVERY_DAYS."""
    held, key, timeline = HeldChoices(env, days), jax.random.key(0), env.presentation.timeline
    assert timeline is not None and timeline.steps_per_day is not None
    ahead, every = HORIZON_DAYS * timeline.steps_per_day, EVERY_DAYS * timeline.steps_per_day
    value = jax.jit(
        jax.vmap(lambda plan, state, params: follow_from(env, key, state, plan, params).total, (0, None, None))
    )

    @jax.jit
    def moved(state: Any, actions: Array, params: Any) -> Any:
        return jax.lax.scan(lambda now, action: (env.transition(key, now, action, params)[1], None), state, actions)[0]

    found = {}
    for n, label in enumerate(starts.labels):
        params, known, taken = one_start(starts, n), held.known(ahead), []
        state = env.initial(key, params)[1]
        for _ in range(0, env.episode_steps, every):
            values = lambda points, _: value(held.planned(points, ahead), state, params)  # noqa: B023, E731
            best = search(values, known, FEWER_CANDIDATES, FEWER_ROUNDS)
            taken.append(held.planned(best.best[None], ahead)[0, :every])
            state, known = moved(state, taken[-1], params), np.concatenate([held.known(ahead), best.best[None]])
        actions = np.concatenate(taken)[: env.episode_steps]
        found[label] = Plan(actions, float(follow(env, key, jnp.asarray(actions), params).total), ())
        print(label, found[label].value, flush=True)
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
    starts = chosen_starts(env, settings.windows)
    kept: dict[str, Plan] = {}
    if recipe.held_days:
        kept = held_control(env, starts, recipe.held_days)
    elif recipe.control is not None:
        planner = make_environment(task, {**settings.options, **recipe.model})
        keys = jax.random.split(jax.random.key(0), len(starts.labels))
        controller = mpc(planner, **recipe.control)
        played = run_episodes(env, controller, keys, env.episode_steps, starts.params, starts.axes)
        done = zip(starts.labels, played.action, played.reward.sum(axis=1), strict=True)
        kept = {label: Plan(actions, float(value), ()) for label, actions, value in done}
    if kept:
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
    params = env.narrowed(one_start(starts, starts.labels.index(place["windows"][0]["label"])))
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
