"""Agents of the papers: how they are trained, and the trained ones that come with the package.

A trained run lies in `trained_runs/NAME` of the package: config.json, metrics.jsonl and policies/, as `phytotron train`
writes them, with weights in float16 (`papers.export` puts it there). With `settings.train` it is trained anew instead.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from phytotron.agents.policy import Policy
from phytotron.agents.policy_files import load_policy
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.papers.result import Settings
from phytotron.training.config import RunConfig, default_chunk
from phytotron.training.folder import Line, RunFolder
from phytotron.training.loop import train
from phytotron.training.presets import make_agent, make_settings

COMMITTED = Path(__file__).parent / "trained_runs"
MILLION = 1_000_000


class Task(NamedTuple):
    """The environment in which an agent is trained, and its entry in config.json: plain values, and no paths."""

    environment: Environment[Any, Any]
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Recipe:
    """The training of an agent of a paper; `name` is that of its folder, as "greenlight_gym/additive"."""

    name: str
    task: Callable[[Path | None], Task]  # of the folder of weather, or None for what comes with the package
    agent: str = "ppo"
    preset: str = "default"
    changes: Mapping[str, Any] = field(default_factory=dict)  # of settings of the preset, "steps" among them
    seeds: Sequence[int] = range(5)
    quick_changes: Mapping[str, Any] = field(default_factory=dict)  # on top of `changes`
    quick_seeds: Sequence[int] = range(2)

    def in_budget(self, quick: bool) -> Recipe:
        """Return the recipe with the settings of a budget; that of the quick one has another name."""
        if not quick:
            return self
        return dataclasses.replace(
            self, name=f"{self.name}_quick", changes={**self.changes, **self.quick_changes}, seeds=self.quick_seeds
        )


@dataclass(frozen=True)
class Trained:
    """A trained run: one policy per seed, config.json, the lines of metrics.jsonl, and where it comes from."""

    name: str
    policies: tuple[Policy, ...]
    config: Mapping[str, Any]
    lines: tuple[Line, ...]
    origin: str

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of its policies."""
        return tuple(self.config["seeds"])

    @property
    def options(self) -> Mapping[str, Any]:
        """The options of the environment it was trained in."""
        options: Mapping[str, Any] = self.config["environment"]["options"]
        return options

    @property
    def steps(self) -> int:
        """The steps of training of each seed."""
        return int(self.lines[-1]["step"])


def trained(recipe: Recipe, settings: Settings) -> Trained:
    """Return the run that comes with the package or, with `settings.train`, one that is trained here.

    What was interrupted goes on; what was trained before is only read.
    """
    if not settings.train:
        return committed(recipe)
    recipe = recipe.in_budget(settings.quick)
    folder = settings.runs / recipe.name
    train_in(folder, recipe, settings)
    return read_run(recipe.name, folder, "trained here")


def is_committed(recipe: Recipe) -> bool:
    """Return whether the package has a trained run of it."""
    return RunFolder(COMMITTED / recipe.name).config_path.exists()


def untrained(what: str) -> PhytotronError:
    """Return the error where agents do not come with the package, and what to do then."""
    return PhytotronError(
        f"{what} does not come trained with this package; train it with --train "
        "(--budget quick: a first look in minutes, --budget full: as in the paper, on a GPU)"
    )


def committed(recipe: Recipe) -> Trained:
    """Return the run that comes with the package."""
    if not is_committed(recipe):
        raise untrained(recipe.name)
    return read_run(recipe.name, COMMITTED / recipe.name, "trained before, comes with the package")


def read_run(name: str, folder: Path, origin: str) -> Trained:
    """Return all of a finished run."""
    run = RunFolder(folder)
    config, lines = run.config(), tuple(run.lines())
    paths = run.list_policies()
    if not lines or len(paths) != len(config["seeds"]):
        remedy = "copy or export the run again" if origin != "trained here" else "remove the folder and train again"
        raise PhytotronError(
            f"{folder} is incomplete: {len(paths)} of {len(config['seeds'])} policies, {len(lines)} lines of metrics; "
            f"{remedy}"
        )
    step, seeds = int(lines[-1]["step"]), len(paths)
    origin_text = f"{name}: {config['agent']}, {seeds} seeds of {step / MILLION:.3g} million steps, {origin}"
    return Trained(name, tuple(load_policy(path) for path in paths), config, lines, origin_text)


def train_in(folder: Path, recipe: Recipe, settings: Settings) -> None:
    """Train in a folder, or go on where training stopped; nothing is done where it was completed."""
    run = RunFolder(folder)
    settings.progress(f"{recipe.name}: making the environment", 0.0)
    task = recipe.task(settings.weather)
    made = make_settings(recipe.agent, recipe.preset, **recipe.changes)
    agent = make_agent(recipe.agent, task.environment, made)
    config = RunConfig(
        environment=task.environment.id,
        options=task.options,
        agent=recipe.agent,
        preset=recipe.preset,
        settings=dataclasses.asdict(made),
        seeds=tuple(recipe.seeds),
        steps=made.steps,
        updates_per_chunk=default_chunk(made.steps, agent.steps_per_update),
    )
    began = run.config_path.exists()
    if began:
        run.check_same(config.as_dict())
        if run.finished:
            return

    def show(line: Line) -> None:
        share = min(1.0, line["step"] / made.steps)
        settings.progress(f"{recipe.name}: step {line['step']:,} of {made.steps:,}", share)

    settings.progress(f"{recipe.name}: compiling", 0.0)
    outcome = train(agent, folder, config, listeners=[show], resume=began)
    if outcome.reason == "stopped":
        raise PhytotronError(
            f"training of {recipe.name} was stopped at step {outcome.step:,} of {made.steps:,}; "
            f"the same command goes on from there ({folder})"
        )
