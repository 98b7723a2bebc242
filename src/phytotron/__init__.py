"""Phytotron: a benchmark suite for learning-based and classical control of crop production."""

from phytotron.gymnasium_plugin import install as _install_gymnasium_plugin

__version__ = "0.1.0"
__all__ = ["__version__", "make", "registered"]

_install_gymnasium_plugin()


def make(id: str, **options: object):  # type: ignore[no-untyped-def]
    """The environment registered under an id, e.g. `make("phytotron/Greenhouse-v0", control_interval=300)`."""
    from phytotron.core import registry

    return registry.make(id, **options)


def registered() -> list[str]:
    """All environment ids."""
    from phytotron.core import registry

    return registry.registered()
