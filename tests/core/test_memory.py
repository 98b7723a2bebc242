"""What does not fit into memory says how much to try instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from toy_environments import Aiming

from phytotron.adapters import batch
from phytotron.adapters.vector_env import PhytotronVectorEnv
from phytotron.controllers import Random
from phytotron.core.environment import Starts
from phytotron.core.memory import OutOfMemoryError, enough_memory
from phytotron.episodes import recording
from phytotron.episodes.totals import Totals
from phytotron.evaluation.scores import evaluate


def test_what_xla_cannot_allocate_is_told_with_half_the_size() -> None:
    message = r"64 environments at once do not fit into the memory of the \w+; try num_envs=32"
    with pytest.raises(OutOfMemoryError, match=message), enough_memory(64, "environments at once", "num_envs="):
        jnp.zeros(10**14).block_until_ready()


def test_what_the_host_cannot_allocate_is_told_too() -> None:
    with pytest.raises(OutOfMemoryError, match="more memory is needed"), enough_memory(1, "episodes", "--episodes "):
        raise MemoryError


def test_other_errors_stay_what_they_are() -> None:
    with pytest.raises(jax.errors.JaxRuntimeError, match="INTERNAL"), enough_memory(2, "episodes", "--episodes "):
        raise jax.errors.JaxRuntimeError("INTERNAL: something else")


# What GPUs and hosts are seen to raise where memory ends.
EXHAUSTED = {
    "GPU": jax.errors.JaxRuntimeError("RESOURCE_EXHAUSTED: Out of memory while trying to allocate 149000000000 bytes."),
    "host": MemoryError(),
}
ENV = Aiming()
FOUR = Starts(jnp.ones(4), 0, ("a", "b", "c", "d"))


def stepped() -> None:
    env = PhytotronVectorEnv(ENV, 4)
    env.reset(seed=0)
    env.step(np.zeros(env.action_space.shape, env.action_space.dtype))


# What fails in each entrance, and the number to try.
ENTRANCES: dict[str, tuple[Any, str, Callable[[], Any], str]] = {
    "adapters": (batch, "compiled", stepped, "num_envs=2"),
    "scores": (Totals, "run", lambda: evaluate(ENV, Random(ENV), starts=FOUR), "--episodes 2"),
    "recording": (
        recording, "_parts", lambda: list(recording.record(ENV, [Random(ENV)], (), starts=FOUR)), "--episodes 2",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", EXHAUSTED)
@pytest.mark.parametrize("entrance", ENTRANCES)
def test_every_entrance_names_the_number_to_try(entrance: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, name, call, remedy = ENTRANCES[entrance]

    def exhausted(*given: Any, **named: Any) -> Any:
        raise EXHAUSTED[kind]

    monkeypatch.setattr(owner, name, exhausted)
    with pytest.raises(OutOfMemoryError, match=f"4 .* at once do not fit into the memory of the .*; try {remedy}"):
        call()
