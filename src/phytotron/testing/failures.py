"""Descriptions of the errors that the code of an environment raises: where, what it says, and a remedy."""

import sys
import sysconfig
import traceback
from pathlib import Path
from types import MappingProxyType

import jax

from phytotron.core.errors import PhytotronError

# Errors of code that runs, but cannot be traced; the first kind that fits gives the remedy.
REMEDIES = MappingProxyType(
    {
        jax.errors.TracerBoolConversionError: "use jnp.where instead of `if`, `and`, `or` and `not` on traced values",
        jax.errors.TracerArrayConversionError: "use functions of jnp instead of NumPy on traced values",
        jax.errors.TracerIntegerConversionError: "make what is indexed a jnp array, and use no traced value as a size",
        jax.errors.NonConcreteBooleanIndexError: "use jnp.where instead of an index of booleans",
        jax.errors.ConcretizationTypeError: "use functions of jnp instead of float, int and bool on traced values",
        jax.errors.UnexpectedTracerError: "keep what changes in the state, not in attributes or global variables",
    }
)
INSTALLED = sysconfig.get_paths()["purelib"]
NOT_OF_THE_USER = {"phytotron", "jax", "jaxlib", "numpy", *sys.stdlib_module_names}


def error_text(what: str, error: Exception) -> str:
    """Return one line that says what raised an error, of which type, in which line of the user's code, and its message.

    A remedy follows where the error is one of tracing. The message of a `PhytotronError` already has a remedy.
    """
    if isinstance(error, PhytotronError):
        return f"{what}: {error}" if what else str(error)
    place, said = _place(error), first_line(error)
    text = f"{what} raises {type(error).__name__}".strip()
    text += (f" at {place}" if place else "") + (f": {said}" if said else "")
    for kind, remedy in REMEDIES.items():
        if isinstance(error, kind):
            return f"{text}; {remedy}"
    return f"{text}; it has to work on traced arrays" if "Tracer" in said else text


def first_line(error: Exception) -> str:
    """Return the first line of the message of an error, without a full stop."""
    return str(error).strip().partition("\n")[0].rstrip(".")


def _place(error: Exception) -> str:
    """The last line of the user's code that an error came through, as FILE:LINE; empty where there is none.

    Installed packages are libraries, unless all lines lie in them.
    """
    lines = [
        (Path(frame.f_code.co_filename), line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] not in NOT_OF_THE_USER
    ]
    own = [(file, line) for file, line in lines if not file.is_relative_to(INSTALLED)]
    for file, line in reversed(own or lines):
        return f"{file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file}:{line}"
    return ""
