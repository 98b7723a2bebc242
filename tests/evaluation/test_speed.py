"""What `phytotron speed` measures, and that it refuses nonsense."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.evaluation.speed import measure


@pytest.mark.parametrize(
    ("id", "num_envs"),
    [
        ("greenlight", 1),  # of an environment: tests/examples/test_mini_package.py
        pytest.param("greenlight", 8, marks=pytest.mark.slow),
        pytest.param("phytotron/Greenhouse-v0", 8, marks=pytest.mark.slow),
    ],
)
def test_a_measurement_names_what_was_measured(id: str, num_envs: int) -> None:
    result = measure(id, num_envs, "float32", "rosenbrock", steps_per_call=2, seconds=0.1)
    assert (result.id, result.num_envs, result.precision, result.device) == (id, num_envs, "float32", "cpu")
    assert result.env_steps_per_second > 0.0 and result.compile_seconds > 0.0
    assert result.evaluations_per_step == 40 and result.peak_memory_mb > 10.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "num_envs", "solver"),
    [("phytotron/Greenhouse-v0", 1, "rosenbrock"), ("phytotron/WheatNitrogen-v0", 4, None)],
)
def test_the_gymnasium_interface_is_measured_too(id: str, num_envs: int, solver: str | None) -> None:
    result = measure(id, num_envs, "float32", None, 1, 0.1, "gymnasium")
    assert (result.id, result.interface, result.num_envs, result.solver) == (id, "gymnasium", num_envs, solver)
    assert result.env_steps_per_second > 0.0
    with pytest.raises(PhytotronError, match="functional for a model"):
        measure("greenlight", num_envs, "float32", None, 1, 0.1, "gymnasium")


def test_the_gymnasium_interface_takes_a_class_by_its_module() -> None:
    result = measure("phytotron.environments.lettuce:Lettuce", 1, "float32", None, 1, 0.05, "gymnasium")
    assert result.interface == "gymnasium" and result.env_steps_per_second > 0.0


@pytest.mark.slow
def test_the_command_prints_one_json_object(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "phytotron",
        "speed",
        "greenlight",
        "--num-envs",
        "2",
        "--seconds",
        "0.1",
        "--json",
    ]
    environment = os.environ | {"PHYTOTRON_CACHE": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert {"env_steps_per_second", "compile_seconds", "device", "precision", "num_envs"} <= set(result)
    assert any((tmp_path / "compiled").iterdir()), "compiled functions are kept for the next start"


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("greenlight", 0, "float32", "rosenbrock", 1, 0.1), PhytotronError, "num_envs"),
        (("greenlight", 1, "float16", "rosenbrock", 1, 0.1), UnknownNameError, "float16.*float32"),
        (("greenlight", 1, "float32", "rosenbruck", 1, 0.1), UnknownNameError, "rosenbruck.*did you mean 'rosenbrock'"),
        (("greenlicht", 1, "float32", "rosenbrock", 1, 0.1), UnknownNameError, "greenlicht"),
    ],
)
def test_nonsense_is_refused(arguments: tuple[object, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        measure(*arguments)  # type: ignore[arg-type]
