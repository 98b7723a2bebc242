"""Preparation of a run: from what a user asks for to an environment, an agent and a configuration."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from phytotron.agents.base import Agent
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.making import put_on
from phytotron.core.registry import FOLDER as FOLDER
from phytotron.core.registry import make_environment as make_environment
from phytotron.episodes.engine import windows
from phytotron.training.config import EvaluationPlan, RunConfig, default_chunk, default_every
from phytotron.training.presets import find_preset, make_agent, make_settings


@dataclass(frozen=True)
class Setup:
    """Everything that training needs."""

    config: RunConfig
    environment: Environment[Any, Any]
    settings: Any
    evaluation_environment: Environment[Any, Any] | None

    @cached_property
    def agent(self) -> Agent:
        """The agent of the backend "jax"; other backends have agents of their own."""
        return make_agent(self.config.agent, self.environment, self.settings)

    @property
    def steps_taken(self) -> int:
        """The number of steps per seed that training takes: those asked for, up to whole updates of our agents."""
        if self.config.backend != "jax":
            return self.config.steps
        unit = self.agent.steps_per_update
        return -(-self.config.steps // unit) * unit


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
    """Return the setup of a run.

    Where only the interval of evaluations is given, they use the validation part of the weather; an environment without
    such a part is evaluated on the weather that it is trained on.
    """
    evaluated = bool(evaluation_weather) or evaluate_every is not None or patience is not None
    if backend == "rllib":
        _check_rllib(seeds, evaluated)
    chosen = find_preset(agent, preset, backend)
    all_options = (dict(chosen.options) if chosen.environment == id else {}) | dict(options or {})
    asked = dict(settings or {}) | ({} if steps is None else {"steps": steps})
    made = make_settings(agent, preset, backend, **asked)
    environment = make_environment(id, all_options)
    plan = EvaluationPlan()
    evaluation_environment = None
    if evaluated:
        weather = evaluation_weather or ("validation" if "validation" in environment.parts else None)
        evaluation_environment = environment if weather is None else put_on(environment, weather)
        windows(evaluation_environment)  # an error where there are none, before the folder of the run is written
        every = default_every(made.steps) if evaluate_every is None else evaluate_every
        plan = EvaluationPlan(evaluation_environment.weather_name, every, None, patience, improvement)
    config = RunConfig(
        environment=id,
        options=all_options,
        agent=agent,
        preset=preset,
        settings=dataclasses.asdict(made),
        seeds=tuple(seeds),
        steps=made.steps,
        backend=backend,
        evaluation=plan,
    )
    if backend == "rllib":
        return Setup(config, environment, made, None)
    learner = make_agent(agent, environment, made)
    chunk = updates_per_chunk or default_chunk(made.steps, learner.steps_per_update, plan.every)
    return Setup(dataclasses.replace(config, updates_per_chunk=chunk), environment, made, evaluation_environment)


def _check_rllib(seeds: Sequence[int], evaluated: bool) -> None:
    """Refuse what the backend rllib does not do."""
    if len(seeds) != 1:
        raise PhytotronError(
            f"the backend rllib trains one seed, not {len(seeds)}; train each in a folder of its own, as --seeds 3,"
        )
    if evaluated:
        raise PhytotronError("--backend rllib does not evaluate during training; leave out --eval-* and --early-stop")
