"""Compilation of functions as one kernel on the CPU, and the caches that keep them, in memory and on disk."""

import os
from collections.abc import Callable, Hashable
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import jax
from jax.experimental.xla_metadata import set_xla_metadata

Function = TypeVar("Function", bound=Callable[..., Any])

CACHE_VARIABLE = "PHYTOTRON_CACHE"


def single_kernel(function: Function) -> Function:
    """Have the CPU run a function as one compiled kernel.

    A model step is a loop over hundreds of small operations; by default XLA starts a kernel for each, which takes
    longer than the arithmetic. On other devices the function is returned unchanged. All traced values have to be
    arguments of the function: XLA may abort on traced values that a function closes over.
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
    """Return `jit` of a function as one kernel, or plain `jit` where XLA cannot make a kernel of it (with large random
    draws, for example).
    """
    return first_that_compiles(jax.jit(single_kernel(function)), jax.jit(function))


def first_that_compiles(first: Any, second: Any) -> Any:
    """Return a function that calls the first of two compiled functions, or the second once XLA failed on the first."""
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


class Immutable:
    """Base of objects that never change, and that keep what was computed from them, such as compiled functions."""

    def kept(self, name: Hashable, make: Callable[[], Any]) -> Any:
        """Return an object that is made once for this instance, such as a compiled function, and kept under a name."""
        held = self.__dict__.setdefault("_kept", {})
        if name not in held:
            held[name] = make()
        return held[name]

    def __getstate__(self) -> dict[str, Any]:
        """The options alone: what was computed from them, such as compiled functions, is computed again."""
        kinds = type(self).__mro__
        computed = {name for kind in kinds for name, each in vars(kind).items() if isinstance(each, cached_property)}
        return {name: value for name, value in self.__dict__.items() if name not in computed | {"_kept"}}

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self  # nothing in it changes


def cache_folder() -> Path:
    """Return the folder of compiled functions, plans and tuned settings: $PHYTOTRON_CACHE, or the user's cache."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "phytotron"


def enable_compilation_cache() -> None:
    """Keep compiled functions on disk, unless JAX is configured to keep them elsewhere."""
    if jax.config.values["jax_compilation_cache_dir"] is None:
        jax.config.update("jax_compilation_cache_dir", str(cache_folder() / "compiled"))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.1)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
