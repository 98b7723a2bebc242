"""A small training run for tests; as a program it trains in the folder that it is given, to be killed at any moment."""

from __future__ import annotations

import dataclasses
import sys
import time
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from toy_environments import Countdown

from phytotron.agents.ppo import PPO, PPOSettings
from phytotron.core.compilation import enable_compilation_cache
from phytotron.core.environment import Measure, Starts
from phytotron.core.errors import UnknownNameError
from phytotron.core.fields import Quantity
from phytotron.training.config import EvaluationPlan, RunConfig
from phytotron.training.folder import RunFolder
from phytotron.training.loop import train
from phytotron.training.running import Outcome
from phytotron.weather.splits import PARTS

CHUNKS, STEPS_PER_CHUNK = 20, 16
SETTINGS = PPOSettings(num_envs=2, rollout=4, minibatch=8, epochs=1, actor=(4,), critic=(4,), learning_rate=1e-2)


class MeasuredCountdown(Countdown):
    """With one measure."""

    measures = (Measure(Quantity("age", "age", "-", "sum of the ages"), lambda info: info["age"]),)


class UndefinedCountdown(Countdown):
    """With a measure that is undefined in every episode."""

    measures = (Measure(Quantity("age", "age", "-", "never a number"), lambda info: info["age"] * jnp.nan),)


class WeatheredCountdown(MeasuredCountdown):
    """On weather of which there are six windows, that make no difference."""

    id = "test/WeatheredCountdown-v0"

    def __init__(self, weather: str = "sunny:train", handicap: float = 0.0) -> None:
        super().__init__()
        if weather.partition(":")[2] not in PARTS:
            raise UnknownNameError("weather", weather, [f"sunny:{part}" for part in PARTS])
        self.weather, self.handicap = weather, handicap

    parts = PARTS

    @property
    def weather_name(self) -> str:
        return self.weather

    def on(self, weather: str) -> WeatheredCountdown:
        return WeatheredCountdown(f"sunny:{weather}" if weather in PARTS else weather, self.handicap)

    def starts(self, params: Any = None) -> Starts:
        return Starts(jnp.ones(6), 0, tuple(f"{self.weather} {n}" for n in range(6)))


ENVIRONMENT = MeasuredCountdown()


def small_config(settings: PPOSettings = SETTINGS, **changes: Any) -> RunConfig:
    """Two seeds, two updates per chunk."""
    config = RunConfig(
        environment=ENVIRONMENT.id,
        agent="ppo",
        settings=dataclasses.asdict(settings),
        seeds=(0, 3),
        steps=CHUNKS * STEPS_PER_CHUNK,
        evaluation=EvaluationPlan("drawn", 4 * STEPS_PER_CHUNK),
        updates_per_chunk=2,
    )
    return dataclasses.replace(config, **changes)


def small_run(folder: Path, settings: PPOSettings = SETTINGS, config: RunConfig | None = None, **rest: Any) -> Outcome:
    """Train the toy, with a checkpoint after every chunk."""
    chosen = small_config(settings) if config is None else config
    evaluation = ENVIRONMENT if chosen.evaluation.weather else None
    return train(PPO(ENVIRONMENT, settings), folder, chosen, evaluation, checkpoint_every=1, **rest)


def left_behind(folder: Path) -> dict[str, Any]:
    """All that has to be the same after any number of stops."""
    run = RunFolder(folder)
    tensors = sorted([*run.policies.glob("*.safetensors"), *run.checkpoints.glob("*.safetensors")])
    clocks = ("seconds", "steps_per_second")
    lines = [{k: v for k, v in line.items() if k not in clocks} for line in run.lines()]
    return {"lines": lines} | {path.name: path.read_bytes() for path in tensors}


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)  # as in tests
    enable_compilation_cache()
    place, pause, *rest = sys.argv[1:]
    small_run(
        Path(place),
        resume="--resume" in rest,
        listeners=[lambda line: print(line["step"], flush=True), lambda line: time.sleep(float(pause))],
        say=lambda text: print(text, flush=True),
    )
