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
from phytotron.training.config import EvaluationPlan, RunConfig, default_chunk, default_every
from phytotron.training.presets import find_preset, make_agent, make_settings

FOLDER = "weather_folder"


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
    """The run that is asked for.

    Where only the interval of evaluations is named, they are on the validation part of the weather; an environment
    without one is evaluated as it is.
    """
    chosen = find_preset(agent, preset)
    all_options = (dict(chosen.options) if chosen.environment == id else {}) | dict(options or {})
    asked = dict(settings or {}) | ({} if steps is None else {"steps": steps})
    made_settings = make_settings(agent, preset, **asked)
    environment = make_environment(id, all_options)
    learner = make_agent(agent, environment, made_settings)
    plan, evaluation_environment = EvaluationPlan(), None
    if evaluation_weather or evaluate_every is not None or patience is not None:
        weather = evaluation_weather or ("validation" if "validation" in environment.parts else None)
        evaluation_environment = environment if weather is None else environment.on(weather)
        every = default_every(made_settings.steps) if evaluate_every is None else evaluate_every
        plan = EvaluationPlan(evaluation_environment.weather_name, every, None, patience, improvement)
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
