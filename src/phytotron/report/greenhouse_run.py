"""The page of a greenhouse run: what it came to, and how it went."""

from __future__ import annotations

import html
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import jax

from phytotron import __version__
from phytotron.controllers import Controller
from phytotron.core.files import write_text
from phytotron.environments.greenhouse import Greenhouse
from phytotron.evaluation.greenhouse_course import course
from phytotron.evaluation.performance import performance
from phytotron.evaluation.rollout import Episodes, Progress, run_episodes
from phytotron.report.figures import season_figure
from phytotron.report.page import page, table

Rows = Sequence[tuple[str, str, str]]


class Run(NamedTuple):
    """One episode, its totals, and how long it took to compile and run [s]."""

    episodes: Episodes
    totals: dict[str, float]
    seconds: float


def run_greenhouse(env: Greenhouse, controller: Controller, seed: int, progress: Progress | None = None) -> Run:
    """An episode under a controller."""
    began = time.perf_counter()
    keys = jax.random.split(jax.random.key(seed), 1)
    episodes = run_episodes(env, controller, keys, env.episode_steps, chunk=env.clock.steps_per_day, progress=progress)
    return Run(episodes, performance(env, episodes).means(), time.perf_counter() - began)


def summary_rows(env: Greenhouse, totals: dict[str, float]) -> Rows:
    """Name, value and unit of what a run came to."""
    limits = env.default_params.reward

    def share(name: str) -> str:
        return f"{100.0 * totals[name]:.1f}"

    return [
        ("return", f"{totals['episode_return']:.2f}", ""),
        ("profit", f"{totals['profit']:.3f}", "€ per m²"),
        ("harvest of fresh tomatoes", f"{totals['harvest']:.3f}", "kg per m²"),
        ("gas", f"{totals['gas']:.3f}", "m³ per m²"),
        ("CO₂", f"{totals['co2']:.3f}", "kg per m²"),
        ("electricity of the lamps", f"{totals['electricity']:.2f}", "kWh per m²"),
        (
            f"time with temperature in [{limits.temperature_minimum:g}, {limits.temperature_maximum:g}] °C",
            share("temperature_in_bounds"),
            "%",
        ),
        (f"time with CO₂ in [{limits.co2_minimum:g}, {limits.co2_maximum:g}] ppm", share("co2_in_bounds"), "%"),
        (
            f"time with humidity in [{limits.humidity_minimum:g}, {limits.humidity_maximum:g}] %",
            share("humidity_in_bounds"),
            "%",
        ),
    ]


def write_run(env: Greenhouse, run: Run, controller: str, source: str, folder: Path) -> Path:
    """Draw a run and write its page; the path."""
    weather = env.windows[0]
    start = weather.dates[int(run.episodes.state.start_day[0, 0])]
    steps = int(run.episodes.active[0].sum())
    days = steps / env.clock.steps_per_day
    title = f"{days:g} days of a tomato greenhouse, {controller}"
    notes = (
        f"<p>{html.escape(env.id)}, {steps} control intervals of {env.control_interval} s from {start}. "
        f"Compiled and run in {run.seconds:.1f} s.</p>"
    )
    figure = season_figure(course(env, run.episodes), f"{title}, from {start}")
    text = page(
        title,
        [("What it came to", notes + table(summary_rows(env, run.totals))), ("Climate, crop, actuators", figure)],
        f"Phytotron {__version__}. Weather: {source}.",
    )
    path = folder / "index.html"
    write_text(path, text)
    return path
