"""Whether an accelerator gives the numbers of the CPU, and what it says where its memory ends.

    PYTHONPATH=src:tests python benchmarks/gpu_agreement.py

Fixed episodes of every environment (tests/rollouts.py): in double precision against their records, made on a CPU; in
single precision against the CPU of the same machine. A difference is |a - b| / (1 + |b|), as the tests of the records
measure it. Then more environments at once than an accelerator holds. Needs jax, numpy and scipy only. Prints one JSON
object per line; the exit code is 1 where a record is missed or the error is not the one that names a number to try.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import jax
import numpy as np
from rollouts import OPTIONS, TOLERANCE, fingerprint, recorded, rollout

from phytotron.core.memory import OutOfMemoryError, enough_memory
from phytotron.evaluation.speed import measure_environment

TOO_MANY = 2**29  # greenhouses, whose actions of 16 steps alone are 200 GB


def show(**result: Any) -> None:
    print(json.dumps(result), flush=True)


def difference(found: list[float], wanted: list[float]) -> float:
    """The largest, relative to one and the number."""
    a, b = np.array(found), np.array(wanted)
    return float(np.max(np.abs(a - b) / (1.0 + np.abs(b))))


def double_precision() -> bool:
    """Against the records."""
    good = True
    with jax.enable_x64(True):
        for id, wanted in recorded().items():
            found = rollout(id)
            largest = difference(found, wanted)
            good &= largest <= TOLERANCE
            same = fingerprint(found) == fingerprint(wanted)
            show(kind="float64 against its record", id=id, largest_difference=largest, same_hash=same)
    return good


def single_precision() -> None:
    """Against the CPU, in a process that has no other device."""
    command = [sys.executable, __file__, "--single-precision-here"]
    made = subprocess.run(command, env=os.environ | {"JAX_PLATFORMS": "cpu"}, capture_output=True, check=True)
    for id, wanted in json.loads(made.stdout).items():
        show(kind="float32 against the CPU", id=id, largest_difference=difference(rollout(id, "float32"), wanted))


def out_of_memory() -> bool:
    """Whether more than fits is told with a number to try."""
    try:
        with enough_memory(TOO_MANY, "environments at once", "--num-envs "):
            measure_environment("phytotron/Greenhouse-v0", TOO_MANY, {"precision": "float32"}, 16, 1.0)
    except OutOfMemoryError as error:
        show(kind="out of memory", error=str(error))
        return True
    show(kind="out of memory", error=None)
    return False


if __name__ == "__main__":
    if "--single-precision-here" in sys.argv:
        print(json.dumps({id: rollout(id, "float32") for id in OPTIONS}))
        sys.exit()
    show(kind="device", device=str(jax.devices()[0].device_kind), backend=jax.default_backend(), jax=jax.__version__)
    good = double_precision()
    single_precision()
    if jax.default_backend() == "cpu":
        show(kind="out of memory", error="not tried: a host may end the process instead")
    else:
        good &= out_of_memory()
    sys.exit(0 if good else 1)
