"""A Ray session for the duration of a command: a small one on this machine, or a cluster by its address."""

import contextlib
import logging
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from phytotron.core.errors import PhytotronError

try:
    import ray
except ImportError as error:
    raise ImportError("Ray is not installed; pip install 'phytotron[rllib]' adds it") from error


@contextlib.contextmanager
def ray_session(workers: int, address: str | None = None) -> Iterator[None]:
    """Provide Ray within the context; if it is already running, it is used and left running.

    On this machine it gets a slot for each of the workers and one for the process that directs them, whatever the
    number of cores. What Ray prints goes to stderr, because stdout is for results.
    """
    if ray.is_initialized():
        yield
        return
    with contextlib.redirect_stdout(sys.stderr):
        _start(workers, address)
        try:
            yield
        finally:
            ray.shutdown()


def _start(workers: int, address: str | None) -> None:
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.WARNING}
    with warnings.catch_warnings():
        # JAX warns of forks that go on with its threads; those of Ray become other programs at once.
        warnings.filterwarnings("ignore", r"os\.fork", RuntimeWarning)
        try:
            if address is None:
                ray.init(address="local", num_cpus=workers + 1, include_dashboard=False, **quiet)
            else:
                ray.init(address=address, **quiet)
        except (ConnectionError, ImportError, ValueError) as error:
            where = "on this machine" if address is None else f"at {address}"
            raise PhytotronError(f"Ray cannot be used {where} ({error}); check --address, or leave it out") from error
