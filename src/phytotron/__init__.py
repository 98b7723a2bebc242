"""Phytotron: a benchmark suite for learning-based and classical control of crop production."""

from phytotron import environments as environments  # registers their ids; imports neither JAX nor Gymnasium
from phytotron.core.registry import make, register, registered
from phytotron.core.version import __version__
from phytotron.gymnasium_ids import announce as _announce

__all__ = ["__version__", "make", "register", "registered"]

_announce()
