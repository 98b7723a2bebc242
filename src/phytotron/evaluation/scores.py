"""Scores of controllers: the totals of whole episodes, one from every start that an environment has.

No series are kept, so that many policies can be judged on many windows of weather at once. All rows see the same
windows and the same random numbers.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray

from phytotron.core.array_files import read_arrays
from phytotron.core.controller import Controller
from phytotron.core.environment import Environment, Starts
from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.core.files import DAMAGED, write_bytes, write_text
from phytotron.core.memory import enough_memory
from phytotron.core.seeds import random_key
from phytotron.episodes.engine import Progress, check_starts, is_policy, stack_policies, summed_up, windows
from phytotron.episodes.totals import Totals

FORMAT = "phytotron-scores-1"
REMEDY = "write it again with `phytotron evaluate`"
ABOUT = "about"  # the array that holds labels, units and descriptions, in JSON

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Scores:
    """Scores of controllers, one row per controller or seed and one column per window.

    `values` holds an array (rows, windows) for each measure, and for "return" and "length".
    """

    labels: tuple[str, ...]
    names: tuple[str, ...]
    values: Mapping[str, Numbers]
    units: Mapping[str, str]
    about: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, env: Environment[Any, Any], labels: tuple[str, ...], sums: Mapping[str, Numbers]) -> Scores:
        """Return the scores from sums over the steps of every episode, "length" among them."""
        units = {each.quantity.name: each.quantity.unit for each in env.measures}
        values = summed_up(env, dict(sums), sums["length"])
        ordered = {name: values[name] for name in ("return", "length", *units)}
        return cls(labels, tuple(units), ordered, {"return": env.presentation.returns.unit, "length": "-"} | units)

    @property
    def rows(self) -> int:
        """Return the number of controllers or seeds."""
        return len(self.values["return"])

    def of_row(self, row: int) -> Scores:
        """Return the scores of one controller or seed."""
        return replace(self, values={name: each[row : row + 1] for name, each in self.values.items()})

    def means(self) -> dict[str, Numbers]:
        """Return averages over the windows, one number per row."""
        return {name: each.mean(axis=1) for name, each in self.values.items()}


def evaluate(
    env: Environment[Any, Any],
    controller: Controller,
    seed: int = 0,
    episodes: int | None = None,
    progress: Progress | None = None,
    starts: Starts | None = None,
) -> Scores:
    """Evaluate a controller on every window and return its scores, one row.

    `episodes`: the number of windows, evenly spread; where an environment has none to count, as many starts are drawn.
    `starts`: other windows than those of the environment.
    """
    return evaluate_many(env, [controller], seed, episodes, progress, starts)


def evaluate_many(
    env: Environment[Any, Any],
    controllers: Sequence[Controller],
    seed: int = 0,
    episodes: int | None = None,
    progress: Progress | None = None,
    starts: Starts | None = None,
) -> Scores:
    """Evaluate controllers on every window and return their scores, one row each.

    Policies of the same structure run as one batch, and compiled functions are reused.
    """
    if not controllers:
        raise PhytotronError("there is nothing to evaluate; give at least one controller")
    starts = windows(env, episodes=episodes) if starts is None else starts
    check_starts(controllers, starts)
    if len(controllers) > 1 and (not all(map(is_policy, controllers)) or len(set(map(_structure, controllers))) > 1):
        return _joined([evaluate(env, each, seed, episodes, progress, starts) for each in controllers])
    if is_policy(controllers[0]):
        scores = evaluate_stacked(env, stack_policies(controllers), seed, episodes, progress, starts)
    else:
        scores = _scores(env, Totals(env, controllers[0]), (), seed, episodes, progress, starts)
    check_returns(env, scores)
    return scores


def evaluate_stacked(
    env: Environment[Any, Any],
    policies: Any,
    seed: int = 0,
    episodes: int | None = None,
    progress: Progress | None = None,
    starts: Starts | None = None,
) -> Scores:
    """Evaluate policies that are already stacked into one pytree (policies, ...), otherwise as `evaluate_many`.

    Returns may be not finite, as a search for settings of rules passes over such rows; see `check_returns`.
    """
    return _scores(
        env, env.kept("totals of policies", lambda: Totals(env, None)), policies, seed, episodes, progress, starts
    )


FINITE = ("return", "length")  # in every episode; other measures may be undefined


def check_returns(env: Environment[Any, Any], scores: Scores) -> None:
    """Refuse scores with a return that is not finite; other measures may be NaN where they are undefined."""
    wrong = np.argwhere(~np.isfinite(scores.values["return"]))
    if len(wrong):
        row, window = wrong[0]
        value, label = scores.values["return"][row, window], scores.labels[window]
        raise PhytotronError(
            f"the return of {env.id} from {label} is {value}, which is not finite; "
            "if all actions were finite, `phytotron check` on the environment, with the same options, says why"
        )


def save_scores(path: Path | str, scores: Scores, about: Mapping[str, Any] | None = None) -> None:
    """Write NAME.npz, and its description as NAME.json; `about`: "environment", "controller", "weather".

    Only NAME.npz is read again; it gets its name when all of it is written. NAME.json is for people and other programs.
    """
    for name in FINITE:
        each = scores.values[name]
        if not np.all(np.isfinite(each)):
            window = scores.labels[int(np.argwhere(~np.isfinite(each))[0][1])]
            raise PhytotronError(f"{name} is not finite in {window}; these scores are not written")
    fields = {**scores.about, **(about or {}), "units": dict(scores.units), "labels": list(scores.labels)}
    text = json.dumps({"format": FORMAT, **fields}, indent=1, allow_nan=False)
    buffer = io.BytesIO()
    arrays: dict[str, Any] = {**scores.values, ABOUT: np.array(text)}
    np.savez_compressed(buffer, **arrays)
    numbers_path, about_path = _pair(path)
    write_bytes(numbers_path, buffer.getvalue())
    write_text(about_path, text + "\n")


def load_scores(path: Path | str) -> Scores:
    """Return the scores that `save_scores` wrote; the path may have either suffix or none."""
    numbers_path, about_path = _pair(path)
    try:
        file = read_arrays(numbers_path.read_bytes())
        values = {name: np.asarray(each, np.float64) for name, each in file.items() if name != ABOUT}
        about = json.loads(str(file[ABOUT]) if ABOUT in file else about_path.read_bytes())
    except (*DAMAGED, KeyError, TypeError) as error:
        raise DataFileError(numbers_path, f"no scores can be read from it ({error})", REMEDY) from None
    if not isinstance(about, dict) or about.get("format") != FORMAT or not {"return", "length"} <= values.keys():
        raise DataFileError(numbers_path, f"it is not of the format {FORMAT!r}", REMEDY)
    labels, units = about.pop("labels", None), about.pop("units", None)
    if not (isinstance(labels, list) and all(isinstance(label, str) for label in labels) and isinstance(units, dict)):
        raise DataFileError(numbers_path, "its labels are no list of names, or its units no names by measure", REMEDY)
    if not all(np.all(np.isfinite(values[name])) for name in FINITE):
        raise DataFileError(numbers_path, "it holds returns or lengths that are not finite", REMEDY)
    shapes = {each.shape for each in values.values()}
    if len(shapes) != 1 or values["return"].shape[1:] != (len(labels),):
        problem = f"its arrays have the shapes {sorted(shapes)} for {len(labels)} labels"
        raise DataFileError(numbers_path, problem, REMEDY)
    names = tuple(name for name in values if name not in ("return", "length"))
    return Scores(tuple(labels), names, values, units, about)


def _pair(path: Path | str) -> tuple[Path, Path]:
    path = Path(path)
    name = path.name.removesuffix(".npz").removesuffix(".json")
    return path.with_name(name + ".npz"), path.with_name(name + ".json")


def _structure(policy: Any) -> Any:
    return jax.tree.structure(policy), tuple((each.shape, each.dtype) for each in jax.tree.leaves(policy))


def _scores(
    env: Environment[Any, Any],
    totals: Totals,
    policies: Any,
    seed: int,
    episodes: int | None,
    progress: Progress | None,
    starts: Starts | None,
) -> Scores:
    params, axes, labels = windows(env, episodes=episodes) if starts is None else starts
    keys = jax.random.split(random_key(seed), len(labels))
    with enough_memory(len(labels), "episodes at once", "--episodes "):
        sums = totals.run(policies, keys, params, axes, progress)
    return Scores.of(env, labels, sums)


def _joined(parts: Sequence[Scores]) -> Scores:
    rows = {name: np.concatenate([each.values[name] for each in parts]) for name in parts[0].values}
    return replace(parts[0], values=rows)
