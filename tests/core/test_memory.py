"""What does not fit into memory says how much to try instead."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest

from phytotron.core.memory import OutOfMemoryError, enough_memory


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
