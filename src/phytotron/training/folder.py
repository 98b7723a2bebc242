"""The folder of a run: its configuration, its metrics, and what training leaves in it.

config.json, metrics.jsonl (one object per line), checkpoints/, policies/, evaluations/, tensorboard/.
"""

import contextlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.core.files import PART, remove_leftovers, write_text, writing
from phytotron.core.seeds import is_seed
from phytotron.core.tensor_files import read_json
from phytotron.training.config import FORMAT

LOCK = ".lock"
NOT_COMPARED = ("versions", "device", "format")  # a run may go on elsewhere, if not bit by bit

Line = dict[str, Any]


class RunFolder:
    """The paths in the folder of a run, and the lines of its metrics."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.config_path = self.path / "config.json"
        self.metrics_path = self.path / "metrics.jsonl"
        self.checkpoints = self.path / "checkpoints"
        self.policies = self.path / "policies"
        self.evaluations = self.path / "evaluations"
        self.tensorboard = self.path / "tensorboard"

    def check_new(self) -> None:
        """Refuse a folder that is not empty, except for files of a run that was killed before it had begun."""
        if self.path.exists() and not (self.path.is_dir() and all(map(_is_leftover, self.path.iterdir()))):
            remedy = (
                "go on with --resume, or choose a new folder" if self.config_path.exists() else "choose a new folder"
            )
            raise PhytotronError(f"{self.path} exists and is not an empty folder; {remedy}")

    def create(self, config: dict[str, Any]) -> None:
        """Create the folder of a new run and write its configuration."""
        self.check_new()
        if self.path.exists():
            remove_leftovers(self.path)
        write_text(self.config_path, json.dumps(config, indent=1, allow_nan=False) + "\n", durable=True)

    @property
    def has_results(self) -> bool:
        """Return whether there is a checkpoint or a policy, or anything else in their folders."""
        return any(any(folder.iterdir()) for folder in (self.checkpoints, self.policies) if folder.is_dir())

    def remove_beginning(self) -> None:
        """Remove the configuration and the metrics of a run without results; the folder was new when it began."""
        shutil.rmtree(self.tensorboard, ignore_errors=True)
        for path in (self.metrics_path, self.config_path):
            path.unlink(missing_ok=True)
        for folder in (self.checkpoints, self.policies):
            with contextlib.suppress(OSError):  # it is not there, or not empty
                folder.rmdir()

    def remove_leftovers(self) -> None:
        """Remove files that a killed run had begun to write; call it while no other process trains in the folder."""
        for folder in (self.path, self.checkpoints, self.policies):
            remove_leftovers(folder)

    def config(self) -> dict[str, Any]:
        """Return the content of config.json."""
        found = read_json(self.config_path, "run", "name the folder of a run, which `phytotron train` writes")
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise DataFileError(self.config_path, f"its format is not {FORMAT!r}", "name the folder of a run")
        for name, good in _EXPECTED.items():
            if not good(found.get(name)):
                remedy = "it was altered; write it as it was, or train in a new folder"
                raise DataFileError(self.config_path, f"its {name} is {found.get(name)!r:.80}", remedy)
        return found

    def check_same(self, config: dict[str, Any]) -> None:
        """Refuse to resume with settings other than those that the run began with."""
        before, now = (_compared(each) for each in (self.config(), config))
        differing = [name for name in sorted(before.keys() | now.keys()) if before.get(name) != now.get(name)]
        if differing:
            shown = "; ".join(f"{name} was {before.get(name)!r} and is {now.get(name)!r}" for name in differing[:3])
            more = f" (and {len(differing) - 3} more)" if len(differing) > 3 else ""
            remedy = "go on with those, or in a new folder"
            raise PhytotronError(f"{self.path} began with other settings: {shown}{more}; {remedy}")

    # Metrics

    def append(self, line: Line) -> None:
        """Add a line to the metrics; numbers that are not finite are refused."""
        text = json.dumps(line, allow_nan=False)
        with writing(self.metrics_path), self.metrics_path.open("a", encoding="utf-8") as file:
            file.write(text + "\n")

    def lines(self) -> list[Line]:
        """Return all lines of the metrics, without a last one that was not completely written."""
        if not self.metrics_path.exists():
            return []
        *whole, _ = self.metrics_path.read_bytes().split(b"\n")
        found = []
        for number, text in enumerate(whole, 1):
            try:
                line = json.loads(text)
                if not isinstance(line, dict):
                    raise ValueError("no object")
                found.append(line)
            except (ValueError, RecursionError):
                problem = f"line {number} is no JSON object"
                raise DataFileError(self.metrics_path, problem, "remove that line, or train in a new folder") from None
        return found

    @property
    def finished(self) -> bool:
        """Return whether the run was trained to its end."""
        lines = self.lines()
        return bool(lines) and lines[-1].get("kind") == "end" and lines[-1].get("reason") != "stopped"

    def keep_lines(self, count: int) -> None:
        """Cut the metrics back to their first `count` lines, which have to be complete."""
        if self.metrics_path.exists():
            parts = self.metrics_path.read_bytes().split(b"\n")
            kept = parts[:-1][:count]
            write_text(
                self.metrics_path, b"".join(part + b"\n" for part in kept).decode(errors="replace"), durable=True
            )
            self.lines()

    def sync_metrics(self) -> None:
        """Write the metrics to disk."""
        if self.metrics_path.exists():
            with writing(self.metrics_path), self.metrics_path.open("rb") as file:
                os.fsync(file.fileno())

    # Policies

    def policy_path(self, seed: int, best: bool = False) -> Path:
        """Return the path of a policy without its suffix."""
        return self.policies / f"{'best_' if best else ''}seed_{seed}"

    def list_policies(self, best: bool = False) -> list[Path]:
        """Return the paths of the policies in the folder, without suffix, in the order of the seeds."""
        found = [self.policy_path(seed, best) for seed in self.config()["seeds"]]
        return [path for path in found if path.with_name(path.name + ".json").exists()]

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from training in the same folder; the system releases the lock when the process ends."""
        try:
            import fcntl
        except ImportError:  # not on Windows
            yield
            return
        lock = self.path / LOCK
        with writing(lock):
            opened = lock.open("w")
        with opened as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise PhytotronError(f"{self.path} is in use by another process; wait for it or stop it") from None
            yield


def _is_environment(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("id"), str) and isinstance(value.get("options"), dict)


def _are_seeds(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(map(is_seed, value))


_EXPECTED: dict[str, Callable[[Any], bool]] = {
    "environment": _is_environment,
    "agent": lambda value: isinstance(value, str),
    "backend": lambda value: isinstance(value, str),
    "seeds": _are_seeds,
}  # of what commands read in config.json


def _is_leftover(path: Path) -> bool:
    return path.name == LOCK or (path.name.startswith(".") and path.name.endswith(PART))


def _compared(config: dict[str, Any]) -> dict[str, Any]:
    """A configuration as JSON gives it back, with a name such as "evaluation.every" for all that is nested."""
    plain = json.loads(json.dumps({name: value for name, value in config.items() if name not in NOT_COMPARED}))

    def flat(nested: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
        for name, value in nested.items():
            yield from flat(value, f"{before}{name}.") if isinstance(value, dict) else [(before + name, value)]

    return dict(flat(plain))
