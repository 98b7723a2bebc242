"""Plans for the starts of an environment, and the files in which they are stored."""

import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.array_files import read_arrays
from phytotron.core.compilation import cache_folder
from phytotron.core.environment import Environment
from phytotron.core.errors import DataFileError, ValueRangeError
from phytotron.core.files import DAMAGED, in_file_name, locked, write_bytes
from phytotron.core.spaces import Box, Space
from phytotron.planning.fingerprints import fingerprint, window_keys

FORMAT, EARLIER = "phytotron-plans-2", "phytotron-plans-1"  # earlier files hold continuous actions as `packed` has them
REMEDY = "delete it and make it again with `phytotron oracle`"
COMMITTED = Path(__file__).parent / "committed"  # plans that come with the package
LEVELS = 65535  # of a continuous action between its bounds
FEW_LEVELS = 4369  # in the package, a divisor of LEVELS; with as few as 255, plans that lie on a bound cross it


@dataclass(frozen=True)
class Plan:
    """The actions of one episode, the value that they were found to have, and the course of the search."""

    actions: NDArray[Any]  # (steps, ...)
    value: float  # of what was optimised
    history: tuple[float, ...]  # best values on the way


Plans = Mapping[str, Plan]  # by the label of the start; in files by its key, see `window_keys`


def improves(value: float, on: float) -> bool:
    """Return whether a value is better than another one: it is higher, or the other one is NaN and it is not."""
    return value > on or (math.isnan(on) and not math.isnan(value))


def finite_course(history: Sequence[float], value: float) -> tuple[float, ...]:
    """Return a history in which values that are not finite are replaced by the next finite one, at the end by
    `value`.
    """
    kept: list[float] = []
    for each in reversed(history):
        value = each if math.isfinite(each) else value
        kept.append(value)
    return tuple(reversed(kept))


def plans_path(env: Environment[Any, Any], aim: str = "", folder: Path | None = None) -> Path:
    """Return the path of the plans of an environment, by default in the cache folder; the name depends on the options.

    `aim`: the name of an `Objective`, where it is not the return.
    """
    suffix = f"-{aim}" if aim else ""
    held = cache_folder() / "plans" if folder is None else folder
    return held / f"{in_file_name(env.id)}-{fingerprint(env)}{suffix}.npz"


def keep_plans(
    env: Environment[Any, Any], plans: Plans, aim: str = "", folder: Path | None = None, levels: int = LEVELS
) -> Path:
    """Store plans of an environment, given by the label of their start, and return the path of the file.

    `folder`: by default that of the cache. Plans that come with the package are in `COMMITTED`, with `FEW_LEVELS`.
    """
    keys = window_keys(env)
    path = plans_path(env, aim, folder)
    save_plans(path, {keys[label]: plan for label, plan in plans.items()}, env.action_space, levels)
    return path


def plans_at_hand(env: Environment[Any, Any], aim: str = "") -> dict[str, Plan]:
    """Return the stored plans of an environment by the label of their start.

    They come from the cache folder and from the package; where both have one, the better is returned. Starts without a
    plan are left out.
    """
    keys = window_keys(env)
    found: dict[str, Plan] = {}
    for path in (plans_path(env, aim), plans_path(env, aim, COMMITTED)):
        held = load_plans(path, env.action_space) if keys and path.exists() else {}
        for label, key in keys.items():
            if key in held and (label not in found or held[key].value > found[label].value):
                found[label] = held[key]
    return found


def save_plans(path: Path, plans: Plans, space: Space, levels: int = LEVELS) -> None:
    """Write plans to a file; of these and the plans that the file already holds, the better ones are kept.

    Plans that are shorter than others are filled up with their last action. Values that are not finite are refused,
    because with them no plan of the file could be read.
    """
    for label, plan in plans.items():
        for number in (plan.value, *plan.history):
            if not math.isfinite(number):
                raise ValueRangeError(f"a value in the plan of {label}", number, "a finite number")
    with locked(path.with_name(f".{path.name}.lock")):
        _merge_plans(path, plans, space, levels)


def _merge_plans(path: Path, plans: Plans, space: Space, levels: int) -> None:
    held = load_plans(path, space) if path.exists() else {}
    chosen = dict(held)
    for label, plan in plans.items():
        if label not in held or improves(plan.value, held[label].value):
            chosen[label] = plan
    arrays: dict[str, Any] = {"format": np.array(FORMAT), "labels": np.array(sorted(chosen))}
    arrays["values"] = np.array([chosen[label].value for label in sorted(chosen)])
    arrays["courses"] = np.array(json.dumps([chosen[label].history for label in sorted(chosen)]))
    actions = packed(same_length([chosen[label].actions for label in sorted(chosen)]), space, levels)
    unit = LEVELS // levels if isinstance(space, Box) else 1
    arrays |= {"unit": np.array(unit), "actions": in_bytes(actions // unit) if isinstance(space, Box) else actions}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    write_bytes(path, buffer.getvalue())


def load_plans(path: Path, space: Space) -> dict[str, Plan]:
    """Return the plans that `save_plans` wrote, by the key of their start (`window_keys`)."""
    try:
        file = read_arrays(path.read_bytes())
        if str(file["format"]) not in (FORMAT, EARLIER):
            raise ValueError(f"its format is {file['format']}")
        labels, values, actions = file["labels"], file["values"], file["actions"]
        if str(file["format"]) == FORMAT and isinstance(space, Box):
            actions = np.uint16(file["unit"]) * from_bytes(actions)
        histories = [np.array(each, np.float64) for each in json.loads(str(file["courses"]))]
        counts = {labels.shape, values.shape, actions.shape[:1], (len(histories),)}
        if len(counts) > 1 or actions.dtype.kind != "u" or actions.shape[2:] != space.shape:
            raise ValueError("its arrays do not belong together")
        if labels.dtype.kind != "U" or not all(np.all(np.isfinite(each)) for each in (values, *histories)):
            raise ValueError("it holds something other than names and finite numbers")
    except (*DAMAGED, KeyError, TypeError, OverflowError) as error:
        raise DataFileError(path, f"no plans can be read from it ({error})", REMEDY) from None
    plans = zip(unpacked(actions, space), values.tolist(), histories, strict=True)
    return {
        label: Plan(each, float(value), tuple(history.ravel().tolist()))
        for label, (each, value, history) in zip(labels.tolist(), plans, strict=True)
    }


def same_length(plans: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return actions as one array (plans, steps, ...); shorter plans are filled up with their last action."""
    steps = max(map(len, plans))
    return np.stack([each[np.minimum(np.arange(steps), len(each) - 1)] for each in plans])


def packed(actions: NDArray[Any], space: Space, levels: int = LEVELS) -> NDArray[Any]:
    """Return actions as small integers, for a file."""
    if not isinstance(space, Box):
        return np.asarray(actions, np.min_scalar_type(space.n - 1))
    share = (np.asarray(actions, np.float64) - space.low) / (space.high.astype(np.float64) - space.low)
    return np.round(np.clip(share, 0.0, 1.0) * levels).astype(np.uint16) * np.uint16(LEVELS // levels)


def in_bytes(actions: NDArray[np.uint16]) -> NDArray[np.uint8]:
    """Return actions (plans, steps, ...) as bytes (2, plans, ..., steps), the upper ones first.

    Successive actions are alike, and their upper bytes more so: compressed, they take a third less.
    """
    steps_last = np.moveaxis(actions, 1, -1)
    return np.stack([steps_last >> 8, steps_last & 255]).astype(np.uint8)


def from_bytes(held: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Return the actions of which `in_bytes` made bytes."""
    upper, lower = held.astype(np.uint16)
    return np.moveaxis(upper << 8 | lower, -1, 1)


def unpacked(actions: NDArray[Any], space: Space) -> NDArray[Any]:
    """Return the actions of the small integers of a file, the inverse of `packed`."""
    if not isinstance(space, Box):
        return actions.astype(space.dtype)
    return (space.low + actions / LEVELS * (space.high.astype(np.float64) - space.low)).astype(space.dtype)
