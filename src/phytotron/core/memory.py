"""Errors for batches that do not fit into memory, which say what size to try instead."""

import contextlib
from collections.abc import Iterator

import jax

from phytotron.core.errors import PhytotronError

EXHAUSTED = ("RESOURCE_EXHAUSTED", "Out of memory", "out of memory", "failed to allocate")  # in the words of XLA


class OutOfMemoryError(PhytotronError):
    """A batch that is larger than the memory of the machine or of its accelerator."""


@contextlib.contextmanager
def enough_memory(size: int, what: str, setting: str) -> Iterator[None]:
    """Turn running out of memory within the context into an error that suggests half the size.

    `what`: the things of which there are `size` at once, in the plural. `setting`: the text that users put in front of
    the number, such as "--episodes " for "--episodes 20".
    """
    try:
        yield
    except (MemoryError, jax.errors.JaxRuntimeError) as error:
        if not is_exhausted(error):
            raise
        remedy = f"try {setting}{size // 2}" if size > 1 else "a machine or accelerator with more memory is needed"
        where = jax.default_backend().upper()
        raise OutOfMemoryError(f"{size:,} {what} do not fit into the memory of the {where}; {remedy}") from error


def is_exhausted(error: BaseException) -> bool:
    """Return whether an error says that memory, of the host or of an accelerator, is not enough."""
    return isinstance(error, MemoryError) or any(word in str(error) for word in EXHAUSTED)
