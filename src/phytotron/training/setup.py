"""From what a user asks for to an environment, an agent and the record of a run."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phytotron.agents.base import Agent
from phytotron.core import registry
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.training.config import EvaluationPlan, RunConfig, default_chunk, default_every
from phytotron.training.presets import find_preset, make_agent, make_settings
from phytotron.weather.splits import PARTS

FOLDER = "weather_folder"
NARROWING = ("years", "start_day")  # options that choose among the days of one part of a split


@dataclass(frozen=True)
class Setup:
    """All that training needs."""

    config: RunConfig
    agent: Agent
    evaluation_environment: Environment[Any, Any] | None


def make_environment(id: str, options: Mapping[str, Any]) -> Environment[Any, Any]:
    """An environment with options as they stand in JSON."""
    chosen = dict(options)
    if chosen.get(FOLDER) is not None:
        chosen[FOLDER] = Path(chosen[FOLDER])
    made: Environment[Any, Any] = registry.make(id, **chosen)
    return made


def on_weather(options: Mapping[str, Any], weather: str) -> dict[str, Any]:
    """The same options on other weather."""
    return {name: value for name, value in options.items() if name not in NARROWING} | {"weather": weather}


def weather_of(environment: Environment[Any, Any]) -> str | None:
    """The name of the weather that an environment has, if it has a name."""
    found = getattr(environment, "weather", None)
    return found if isinstance(found, str) else None


def named_weather(name: str, environment: Environment[Any, Any]) -> str:
    """A weather by name; "train", "validation" and "test" are parts of the split that an environment is on."""
    if name not in PARTS:
        return name
    split, separator, _ = (weather_of(environment) or "").partition(":")
    if not separator or split == "generated":
        raise PhytotronError(f"{environment.id} is on no weather of which {name!r} is a part; name it as SPLIT:PART")
    return f"{split}:{name}"


def prepare(
    id: str,
    *,
    agent: str = "ppo",
    preset: str = "default",
    seeds: Sequence[int] = (0,),
    steps: int | None = None,
    settings: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    backend: str = "jax",
    evaluation_weather: str | None = None,
    evaluate_every: int | None = None,
    patience: int | None = None,
    improvement: float = 0.0,
    updates_per_chunk: int | None = None,
) -> Setup:
    """The run that is asked for; weather for evaluations is the validation part where only their interval is named."""
    chosen = find_preset(agent, preset)
    all_options = (dict(chosen.options) if chosen.environment == id else {}) | dict(options or {})
    asked = dict(settings or {}) | ({} if steps is None else {"steps": steps})
    made_settings = make_settings(agent, preset, **asked)
    environment = make_environment(id, all_options)
    learner = make_agent(agent, environment, made_settings)
    plan, evaluation_environment = EvaluationPlan(), None
    if evaluation_weather or evaluate_every is not None or patience is not None:
        weather = named_weather(evaluation_weather or "validation", environment)
        every = default_every(made_settings.steps) if evaluate_every is None else evaluate_every
        plan = EvaluationPlan(weather, every, None, patience, improvement)
        evaluation_environment = make_environment(id, on_weather(all_options, weather))
    chunk = updates_per_chunk or default_chunk(made_settings.steps, learner.steps_per_update, plan.every)
    config = RunConfig(
        environment=id,
        options=all_options,
        agent=agent,
        preset=preset,
        settings=dataclasses.asdict(made_settings),
        seeds=tuple(seeds),
        steps=made_settings.steps,
        backend=backend,
        evaluation=plan,
        updates_per_chunk=chunk,
    )
    return Setup(config, learner, evaluation_environment)
