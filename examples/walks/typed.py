"""Commands as they are typed, for the walks beside this file."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path


def typed(command: str, folder: Path) -> str:
    """Run a command in a folder, show it and what it prints, and return the latter; a failure ends the walk."""
    print(f"$ {command}", flush=True)
    _, *arguments = shlex.split(command)  # without "phytotron", of which the one of this Python is run
    done = subprocess.run(
        [sys.executable, "-m", "phytotron", *arguments], cwd=folder, stdout=subprocess.PIPE, text=True, check=False
    )
    print(done.stdout, flush=True)
    if done.returncode:
        sys.exit(f"failed with status {done.returncode}: {command}")
    return done.stdout


def working_folder() -> Path:
    """The folder that the walk is given, which it makes; by default `walk`."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "walk").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return folder
