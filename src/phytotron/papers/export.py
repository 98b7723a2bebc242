"""Trained runs for the package: `python -m phytotron.papers.export RUN TARGET`.

Copies what `papers.trained` reads, small: weights in float16, a few hundred lines of metrics to six digits, no
checkpoints. Paths of folders are left out.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from phytotron.agents.policy_files import load_policy, read_about, save_policy
from phytotron.core.errors import PhytotronError
from phytotron.core.files import write_text
from phytotron.training.folder import Line, RunFolder
from phytotron.training.setup import FOLDER

MOST_LINES = 400
DIGITS = 6
WRITTEN = ("format", "head", "activation", "clip", "precision", "sha256")  # by `save_policy` itself


def export_run(run_folder: Path | str, target: Path | str) -> None:
    """Copy a finished run to a new folder."""
    source, goal = RunFolder(run_folder), RunFolder(target)
    config, lines, paths = source.config(), source.lines(), source.list_policies()
    if not source.finished or len(paths) != len(config["seeds"]):
        raise PhytotronError(f"{source.path} was not trained to its end; go on with it first")
    goal.check_new()
    for path in paths:
        about = {name: value for name, value in read_about(path).items() if name not in WRITTEN}
        save_policy(goal.policies / path.name, load_policy(path), without_folder(about), "float16")
    text = "".join(json.dumps(rounded(line), allow_nan=False) + "\n" for line in thinned(lines))
    write_text(goal.metrics_path, text)
    write_text(goal.config_path, json.dumps(without_folder(config), indent=1, allow_nan=False) + "\n")


def thinned(lines: Sequence[Line], most: int = MOST_LINES) -> list[Line]:
    """Return at most so many lines of training, evenly spread, the last among them; all lines of other kinds."""
    training = [number for number, line in enumerate(lines) if line["kind"] == "training"]
    count = min(most, len(training))
    chosen = {training[n] for n in np.linspace(0, len(training) - 1, count).round().astype(int)} if count else set()
    return [line for number, line in enumerate(lines) if line["kind"] != "training" or number in chosen]


def rounded(value: Any) -> Any:
    """Return numbers to six digits, however deep."""
    return json.loads(json.dumps(value), parse_float=lambda text: float(f"{float(text):.{DIGITS}g}"))


def without_folder(about: dict[str, Any]) -> dict[str, Any]:
    """Return the description of a run or policy, without the folder of the weather."""
    place = about.get("environment", {})
    options = {name: value for name, value in place.get("options", {}).items() if name != FOLDER}
    return about | {"environment": place | {"options": options}}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m phytotron.papers.export RUN TARGET")
    try:
        export_run(sys.argv[1], sys.argv[2])
    except PhytotronError as problem:
        sys.exit(f"error: {problem}")
