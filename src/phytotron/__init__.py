"""Phytotron: a benchmark suite for learning-based and classical control of crop production."""

from typing import TYPE_CHECKING, Any

from phytotron import environments as environments  # registers their ids; imports neither JAX nor Gymnasium
from phytotron.core.registry import make, register, registered
from phytotron.core.version import __version__
from phytotron.gymnasium_ids import announce as _announce

if TYPE_CHECKING:
    from phytotron.episodes.run import run as run

__all__ = ["__version__", "make", "register", "registered", "run"]

_announce()


def __getattr__(name: str) -> Any:
    """`run`, which imports JAX, when it is asked for."""
    if name == "run":
        from phytotron.episodes.run import run

        return run
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
