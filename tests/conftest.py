"""Set up before any test module is imported.

Double precision, a compilation cache that `make clean` removes, and no deadlines: the first example of a test compiles.
"""

from __future__ import annotations

import ctypes
import gc
import math
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import jax
import pytest

from phytotron.core.compilation import CACHE_VARIABLE, enable_compilation_cache

# Tests compare against exact laws; float32 is tested where a test asks for it by dtype.
jax.config.update("jax_enable_x64", True)

os.environ.setdefault(CACHE_VARIABLE, str(Path(__file__).resolve().parent.parent / ".pytest_cache" / "phytotron"))
enable_compilation_cache()

hypothesis.settings.register_profile("compiling", deadline=None)
hypothesis.settings.load_profile("compiling")

# A process that has grown beyond this share of the machine's memory gives its compiled programs back between modules,
# so that two fit beside what they start.
LARGE_PROCESS = 0.38


@pytest.fixture
def hangup_heard() -> Iterator[None]:
    """SIGHUP as by default, also where the tests run under `nohup`, which has it ignored."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Have the garbage collector pass over what is imported, and look less often: a trace is many objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 50)


def resident_bytes() -> int:
    """Memory of this process: on Linux what it holds now, elsewhere the most it ever held, 0 where unknown."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        pass
    try:
        import resource
    except ImportError:  # Windows
        return 0
    # Kilobytes, but bytes on macOS.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def physical_bytes() -> float:
    """Memory of the machine; infinite where unknown."""
    if "SC_PHYS_PAGES" not in getattr(os, "sysconf_names", {}):  # Windows
        return math.inf
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def return_freed_memory() -> None:
    """Have the allocator return what is free to the system, so that a process that was large is so no more."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None  # of glibc
    if trim is not None:
        trim(0)


@pytest.fixture(autouse=True, scope="module")
def compiled_programs_given_back() -> Iterator[None]:
    """Free compiled programs after a module where the process has grown large; otherwise later modules share them."""
    yield
    if resident_bytes() > LARGE_PROCESS * physical_bytes():
        jax.clear_caches()
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        return_freed_memory()
