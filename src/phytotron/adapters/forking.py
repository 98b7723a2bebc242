"""Refusing to go on in a process that was forked from one in which JAX runs, where it would wait for ever."""

import os

from phytotron.core.errors import PhytotronError

_state = {"used": False, "forked": False}


def note_use() -> None:
    """Remember that JAX runs in this process, and so cannot in those that are forked from it."""
    _state["used"] = True


def check_process() -> None:
    """Refuse a process that was forked from one in which JAX runs."""
    if _state["forked"]:
        raise PhytotronError(
            "this process was forked from one in which JAX runs, which cannot run here. Start processes anew: "
            'gymnasium.make_vec(..., vectorization_mode="async", vector_kwargs={"context": "spawn"}), or leave out '
            "vectorization_mode: then all environments are stepped as one compiled batch, which is faster"
        )


def _after_fork() -> None:
    _state["forked"] = _state["forked"] or _state["used"]


if hasattr(os, "register_at_fork"):  # there is no fork elsewhere
    os.register_at_fork(after_in_child=_after_fork)
