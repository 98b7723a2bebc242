"""Prints flags with which XLA compiles quickly rather than well, those that its version knows: an unknown one aborts.

The tests compile more than they compute: XLA's older emitters take two thirds of the time, and code in one piece that
is not optimised two thirds of that.
"""

from __future__ import annotations

import os
import subprocess
import sys

QUICK = (
    "--xla_cpu_use_fusion_emitters=false",
    "--xla_backend_optimization_level=0",
    "--xla_cpu_parallel_codegen_split_count=1",
)


def known(*flags: str) -> bool:
    """Whether a process with these flags starts."""
    command = [sys.executable, "-c", "import jax; jax.devices()"]
    environment = os.environ | {"XLA_FLAGS": " ".join(flags)}
    return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    print(" ".join(QUICK if known(*QUICK) else [flag for flag in QUICK if known(flag)]))
