"""The trials of a sweep, each a run in a folder of its own, and their results; this module does not need Ray."""

import csv
import io
import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from phytotron.core.errors import PhytotronError
from phytotron.core.files import sha256, write_text
from phytotron.training.folder import Line, RunFolder
from phytotron.training.setup import prepare

LAST_SHARE = 0.1  # of the steps, from which returns are taken where nothing is evaluated
LONGEST_NAME = 100

Grid = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Trial:
    """One trial: a choice of values, trained with all seeds of a run."""

    changes: Mapping[str, Any]
    environment: str
    arguments: Mapping[str, Any]  # of `prepare`
    folder: Path

    @property
    def name(self) -> str:
        """The name of its folder, made of the values."""
        return self.folder.name

    def finished(self) -> bool:
        """Return whether it has been trained to its end; a folder with other settings is refused."""
        run = RunFolder(self.folder)
        if not run.config_path.exists():
            return False
        run.check_same(prepare(self.environment, **self.arguments).config.as_dict())
        return run.finished


def plan(
    environment: str,
    folder: Path,
    setting_values: Grid,
    reward_values: Grid,
    one_at_a_time: bool = False,
    **fixed: Any,
) -> list[Trial]:
    """Return the trials of all combinations of values, or of the defaults and each value alone.

    `fixed`: arguments of `prepare` for all trials. The folder of a trial is named after its values, so that a sweep
    with more values continues one with fewer. Trials that cannot be trained are refused here, before any training.
    """
    if shared := setting_values.keys() & reward_values.keys():
        raise PhytotronError(
            f"{min(shared)!r} is swept both as a setting and as a parameter of the reward; name it once"
        )
    if not (setting_values or reward_values):
        raise PhytotronError("a sweep needs values to try: --setting NAME=V1,V2 or --reward-parameter NAME=V1,V2")
    trials = []
    for changes in _choices({**setting_values, **reward_values}, one_at_a_time):
        options = dict(fixed.get("options") or {})
        if reward := {name: value for name, value in changes.items() if name in reward_values}:
            options["reward_parameters"] = dict(options.get("reward_parameters", {})) | reward
        chosen = dict(fixed.get("settings") or {}) | {k: v for k, v in changes.items() if k in setting_values}
        arguments = fixed | {"options": options, "settings": chosen}
        prepare(environment, **arguments)
        trials.append(Trial(changes, environment, arguments, folder.resolve() / "trials" / _name(changes)))
    return trials


def _choices(grid: Grid, one_at_a_time: bool) -> list[dict[str, Any]]:
    if one_at_a_time:
        return [{}] + [{name: value} for name, values in grid.items() for value in values]
    return [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]


def _name(changes: Mapping[str, Any]) -> str:
    """Return a readable name, the same in every process; cut, with a hash, where it is too long for a file system."""
    text = json.dumps(changes, sort_keys=True)
    name = "_".join(f"{name}={_shown(changes[name])}" for name in sorted(changes)) or "defaults"
    plain = re.sub(r"[^\w.=+-]+", "-", name)
    if plain == name and len(name) <= LONGEST_NAME:
        return name
    return f"{plain[:LONGEST_NAME]}_{sha256(text.encode())[:8]}"


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def result(trial: Trial) -> dict[str, Any]:
    """Return the result of a finished trial: of its last evaluation, or of episodes in the last tenth of training."""
    lines = RunFolder(trial.folder).lines()
    evaluations = [line for line in lines if line["kind"] == "evaluation"]
    used = evaluations[-1:] or _last(lines)
    per_seed = {"return": _means(used, lambda line: line["return"])}
    for name in used[-1]["measures"] if used else ():
        per_seed[name] = _means(used, lambda line, name=name: line["measures"][name])
    means = {name: float(np.mean(each)) if None not in each else None for name, each in per_seed.items()}  # type: ignore[arg-type]
    return {
        "trial": trial.name,
        "changes": dict(trial.changes),
        "return": means.pop("return"),
        "return_per_seed": per_seed["return"],
        "measures": means,
        "from": "evaluation" if evaluations else "training",
        "steps": lines[-1]["step"],
        "folder": str(trial.folder),
    }


def _last(lines: Sequence[Line]) -> list[Line]:
    """Return lines of training with episodes of all seeds: those of the last tenth of the steps, or the last one."""
    found = [line for line in lines if line["kind"] == "training" and all(line["episodes"])]
    late = [line for line in found if line["step"] > (1.0 - LAST_SHARE) * lines[-1]["step"]]
    return late or found[-1:]


def _means(lines: Sequence[Line], of: Any) -> list[float | None]:
    """Return the means of each seed over lines, which are weighted by their number of episodes.

    A mean is None where a value is, of a measure that was undefined.
    """
    if not lines:
        return [None]
    weights = [line.get("episodes", [1] * len(of(line))) for line in lines]
    means = np.average(np.array([of(line) for line in lines], float), axis=0, weights=weights)
    return [None if np.isnan(each) else float(each) for each in means]


def ranked(results: Sequence[dict[str, Any]], by: str = "return") -> list[dict[str, Any]]:
    """Return the trials with the best first, the one with the largest return or value of a measure."""

    def value(each: dict[str, Any]) -> float:
        found = each["return"] if by == "return" else each["measures"].get(by)
        return -np.inf if found is None else float(found)

    return sorted(results, key=value, reverse=True)


def write_results(folder: Path, results: Sequence[dict[str, Any]]) -> None:
    """Write results.json, and the same as a table in results.csv."""
    write_text(folder / "results.json", json.dumps(list(results), indent=1, allow_nan=False) + "\n", durable=True)
    rows = [
        {
            "trial": each["trial"],
            **each["changes"],
            "return": each["return"],
            **each["measures"],
            "steps": each["steps"],
        }
        for each in results
    ]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_text(folder / "results.csv", text.getvalue(), durable=True)
