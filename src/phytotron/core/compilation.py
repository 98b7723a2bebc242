"""How functions are compiled: one kernel on the CPU, and a cache that outlives the process."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import jax
from jax.experimental.xla_metadata import set_xla_metadata

Function = TypeVar("Function", bound=Callable[..., Any])

CACHE_VARIABLE = "PHYTOTRON_CACHE"


def single_kernel(function: Function) -> Function:
    """Have the CPU run a function as one compiled kernel.

    A model step is a loop over hundreds of small operations; by default XLA starts a kernel for each, which takes
    longer than the arithmetic. Elsewhere than on the CPU the function stays as it is.
    """
    compiled = jax.jit(function)

    def call(*arguments: Any) -> Any:
        if jax.default_backend() != "cpu":
            return function(*arguments)
        # Some constants among the operands of such a call make XLA abort; behind a barrier they are none.
        arguments = jax.lax.optimization_barrier(arguments)
        with set_xla_metadata(xla_cpu_small_call="true", inlineable="false"):
            return compiled(*arguments)

    return call  # type: ignore[return-value]


def jit_as_kernel(function: Function) -> Function:
    """`jit` of a function as one kernel, or as it is where XLA cannot make one of it (large random draws, for one)."""
    return first_that_compiles(jax.jit(single_kernel(function)), jax.jit(function))


def first_that_compiles(first: Any, second: Any) -> Any:
    """The first of two compiled functions, or the second from when XLA cannot make the first, for any shape."""
    proven, failed = False, False

    def call(*arguments: Any) -> Any:
        nonlocal proven, failed
        if not failed:
            try:
                result = first(*arguments)
                if not proven:
                    jax.block_until_ready(result)
                    proven = True
                return result
            except jax.errors.JaxRuntimeError:
                failed = True
        return second(*arguments)

    return call


def cache_folder() -> Path:
    """Where compiled functions are kept: $PHYTOTRON_CACHE, or the user's cache folder."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "phytotron"


def enable_compilation_cache() -> None:
    """Keep compiled functions on disk, unless the user has already told JAX where to keep them."""
    if jax.config.values["jax_compilation_cache_dir"] is None:
        jax.config.update("jax_compilation_cache_dir", str(cache_folder() / "compiled"))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.1)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
