"""Throw-away environments for the published systems that Phytotron is compared with.

A peer pins dependencies that Phytotron does not want, so each one gets a virtual environment of its own under
``.peers/`` in the repository root. Only the standard library is used here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GLGYM = ("gl-gym", "0.3.2")
PCSE = ("pcse", "6.0.13")


class PeerError(Exception):
    """A peer could not be installed or run; the message is one line for the user."""


def run(
    command: Sequence[str | Path], label: str, *, timeout: float = 900.0, env: Mapping[str, str] | None = None
) -> str:
    """Run a command and return its standard output; `label` names it in the error message."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, env=env, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        raise PeerError(f"{label} took longer than {timeout:.0f} s") from None
    except OSError as error:
        raise PeerError(f"{label} could not start: {error}") from None
    if done.returncode != 0:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        # pip says what went wrong in the first of its ERROR lines, a traceback in its last line.
        errors = [line for line in lines if line.startswith("ERROR:")]
        reason = (errors[:1] or lines[-1:] or ["no message"])[0]
        raise PeerError(f"{label} failed with exit code {done.returncode}: {reason}")
    return done.stdout


def run_json(
    command: Sequence[str | Path], label: str, *, timeout: float = 900.0, env: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Run a command whose standard output is one JSON object."""
    output = run(command, label, timeout=timeout, env=env)
    try:
        result = json.loads(output)
    except json.JSONDecodeError as error:
        raise PeerError(f"{label} did not print one JSON object: {error}") from None
    if not isinstance(result, dict):
        raise PeerError(f"{label} printed JSON that is not an object")
    return result


def installed_version(python: Path, package: str) -> str:
    """Version of `package` as the interpreter `python` sees it; '' when it is not installed."""
    code = (
        "import importlib.metadata as m, sys\ntry: print(m.version(sys.argv[1]))\nexcept m.PackageNotFoundError: pass"
    )
    return run([python, "-Ic", code, package], str(python), timeout=60.0).strip()


def _existing_python(text: str) -> Path:
    if not Path(text).is_file():
        raise ArgumentTypeError(f"no such file: {text}")
    # Not resolved: the interpreter of an environment is a link, and following it leaves the environment.
    return Path(text).absolute()


def add_peer_argument(parser: ArgumentParser, option: str = "--peer-python") -> None:
    """Give a parser an option that names an interpreter."""
    text = "interpreter that already has the peer installed"
    parser.add_argument(option, type=_existing_python, metavar="PATH", help=text)


def ensure(package: str, version: str, python: Path | None = None) -> Path:
    """Return an interpreter that has `package==version`.

    `python` is used when given; otherwise the environment ``.peers/PACKAGE-VERSION``, made on first use.
    """
    if python is not None:
        found = installed_version(python, package)
        if found != version:
            raise PeerError(f"{python} has {found or 'no ' + package}, but {package} {version} is needed")
        return python
    folder = ROOT / ".peers" / f"{package}-{version}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if python.exists() and installed_version(python, package) == version:
        return python
    print(f"installing {package} {version} into {folder.relative_to(ROOT)} ...", file=sys.stderr)
    try:
        venv.create(folder, clear=True, with_pip=True)
        (ROOT / ".peers" / ".gitignore").write_text("*\n", encoding="utf-8")
    except (OSError, subprocess.CalledProcessError) as error:
        raise PeerError(f"cannot make the environment {folder}: {error}") from None
    # Wheels only: a missing wheel for this Python should say so at once, not start a compiler.
    options = ["--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    requirement = f"{package}=={version}"
    run([python, "-Im", "pip", "install", *options, requirement], f"pip install {requirement}")
    return python
