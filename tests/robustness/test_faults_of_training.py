"""A training that dies or is refused at any operation on its files goes on, and leaves what it would have left."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from faults import REFUSALS, Fault, die, injected, operations
from robustness_records import record
from training_runs import ENVIRONMENT, SETTINGS, STEPS_PER_CHUNK, left_behind, small_config

from phytotron.agents.ppo import PPO
from phytotron.core.errors import PhytotronError
from phytotron.training import loop
from phytotron.training.config import EvaluationPlan
from phytotron.training.folder import RunFolder

CONFIG = small_config(steps=3 * STEPS_PER_CHUNK, evaluation=EvaluationPlan("drawn", STEPS_PER_CHUNK))
KINDS = ["killed", "torn", *REFUSALS]


@pytest.fixture(scope="module")
def agent() -> PPO:
    return PPO(ENVIRONMENT, SETTINGS)


@pytest.fixture(scope="module", autouse=True)
def compiled_once(agent: PPO) -> Any:
    """All runs are of one agent and the same seeds, so that they may share what is compiled."""
    shared = loop.Updates(agent, CONFIG.seeds)
    start, template = jax.jit(shared._first), shared.template()
    shared.compile(shared.start())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared, "start", lambda: start(shared.params))
        patch.setattr(shared, "template", lambda: template)
        patch.setattr(shared, "compile", lambda state: None)
        patch.setattr(loop, "Updates", lambda agent, seeds: shared)
        yield


@pytest.fixture(scope="module")
def undisturbed(agent: PPO, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Any], dict[str, Any]]:
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    steps = operations(folder, lambda: begin_or_go_on(agent, folder))
    return steps, left_behind(folder)


def begin_or_go_on(agent: PPO, folder: Path) -> None:
    """As `phytotron train --resume` decides."""
    resume = RunFolder(folder).config_path.exists()
    loop.train(agent, folder, CONFIG, ENVIRONMENT, resume=resume, checkpoint_every=1)


def fail_and_go_on(agent: PPO, folder: Path, faults: list[tuple[int, str]], expected: dict[str, Any]) -> None:
    for at, kind in faults:
        if kind in REFUSALS:
            with injected(Fault(folder, at, kind)):
                try:
                    begin_or_go_on(agent, folder)
                except PhytotronError as error:
                    assert str(folder) in str(error) and "cannot be written" in str(error)
        else:
            die(folder, lambda: begin_or_go_on(agent, folder), at, kind)
        begin_or_go_on(agent, folder)
        assert left_behind(folder) == expected, f"{kind} at {at}"
        assert not list(folder.rglob("*.part")), f"{kind} at {at}"
        shutil.rmtree(folder)
    record("faults", "training, at operations on its files; resumed", len(faults), 0)


def test_a_run_that_fails_while_it_writes_goes_on_bit_by_bit(
    agent: PPO, undisturbed: tuple[list[Any], dict[str, Any]], tmp_path: Path
) -> None:
    steps, expected = undisturbed
    places = np.linspace(0, len(steps) - 1, len(KINDS) * 2).astype(int).tolist()
    fail_and_go_on(agent, tmp_path / "run", list(zip(places, KINDS * 2, strict=True)), expected)


@pytest.mark.slow
def test_a_run_that_fails_at_any_operation_goes_on_bit_by_bit(
    agent: PPO, undisturbed: tuple[list[Any], dict[str, Any]], tmp_path: Path
) -> None:
    steps, expected = undisturbed
    everywhere = [(at, kind) for at in range(len(steps)) for kind in ("killed", "torn", KINDS[2 + at % len(REFUSALS)])]
    fail_and_go_on(agent, tmp_path / "run", everywhere, expected)
