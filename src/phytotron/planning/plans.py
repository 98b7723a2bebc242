"""Plans for the starts of an environment, and the files that they are kept in."""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray

from phytotron.core.compilation import cache_folder
from phytotron.core.environment import Environment, Starts
from phytotron.core.errors import DataFileError
from phytotron.core.files import write_bytes
from phytotron.core.spaces import Box, Space

FORMAT = "phytotron-plans-1"
REMEDY = "delete it and make it again with `phytotron oracle`"
LEVELS = 65535  # of a continuous action between its bounds


@dataclass(frozen=True)
class Plan:
    """Actions for one episode, what they were found to be worth, and how the search for them went."""

    actions: NDArray[Any]  # (steps, ...)
    value: float  # of what was optimised
    course: tuple[float, ...]  # best values on the way


Plans = Mapping[str, Plan]  # by the label of the start


def plans_path(env: Environment[Any, Any], terminal: bool) -> Path:
    """Where the plans of an environment are kept; the name holds all that they depend on."""
    name = env.id.replace("/", "_")
    return cache_folder() / "plans" / f"{name}-{fingerprint(env)}{'-terminal' if terminal else ''}.npz"


def fingerprint(env: Environment[Any, Any]) -> str:
    """Sixteen hexadecimal digits of the options and parameters of an environment, whichever starts it has."""
    starts = env.starts()
    digest = hashlib.sha256(env.id.encode())
    for name, each in sorted(_options(env).items()):
        digest.update(f"{name}={each};".encode())
    own = own_places(starts)
    for place, leaf in enumerate(jax.tree.leaves(starts.params)):
        if place not in own:
            digest.update(np.ascontiguousarray(leaf).tobytes())
    return digest.hexdigest()[:16]


def _options(env: Environment[Any, Any]) -> dict[str, Any]:
    """Options as text; weather is in the parameters, functions go by their name and code."""
    if not is_dataclass(env):
        return {}
    found = {each.name: getattr(env, each.name) for each in fields(env)}
    chosen = ("weather", "weather_folder", "dates", "years", "start_day")
    return {name: _as_text(value) for name, value in found.items() if name not in chosen}


def changed_options(env: Environment[Any, Any]) -> dict[str, str]:
    """Those options that differ from their defaults, as text, without those that choose weather."""
    if not is_dataclass(env):
        return {}
    usual = {
        each.name: _as_text(each.default if each.default_factory is MISSING else each.default_factory())
        for each in fields(env)
    }
    return {name: text for name, text in _options(env).items() if text != usual[name]}


def _as_text(value: Any) -> str:
    """What tells a value from others; where that is its address, plans are made anew in every process."""
    code = getattr(value, "__code__", None)
    if code is None:
        return repr(value)
    return f"{value.__qualname__} {code.co_code.hex()} {code.co_names} {code.co_consts!r}"


def own_places(starts: Starts) -> tuple[int, ...]:
    """Which of the leaves of the parameters differ between the starts."""
    axes = jax.tree.broadcast(starts.axes, starts.params, is_leaf=lambda axis: axis is None)
    leaves = jax.tree.leaves(axes, is_leaf=lambda axis: axis is None)
    return tuple(place for place, axis in enumerate(leaves) if axis is not None)


def save_plans(path: Path, plans: Plans, space: Space) -> None:
    """Write plans, together with those that the file already has, of which the better stay."""
    held = load_plans(path, space) if path.exists() else {}
    chosen = dict(held)
    for label, plan in plans.items():
        if label not in held or plan.value > held[label].value:
            chosen[label] = plan
    arrays: dict[str, Any] = {"format": np.array(FORMAT), "labels": np.array(sorted(chosen))}
    arrays["values"] = np.array([chosen[label].value for label in sorted(chosen)])
    arrays["courses"] = np.array(json.dumps([chosen[label].course for label in sorted(chosen)]))
    arrays["actions"] = np.stack([packed(chosen[label].actions, space) for label in sorted(chosen)])
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, buffer.getvalue())


def load_plans(path: Path, space: Space) -> dict[str, Plan]:
    """What `save_plans` wrote."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            if str(file["format"]) != FORMAT:
                raise ValueError(f"its format is {file['format']}")
            labels, values, actions = file["labels"].tolist(), file["values"], file["actions"]
            courses = json.loads(str(file["courses"]))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise DataFileError(path, f"no plans can be read from it ({error})", REMEDY) from None
    unpacked_actions = unpacked(actions, space)
    return {label: Plan(unpacked_actions[n], float(values[n]), tuple(courses[n])) for n, label in enumerate(labels)}


def packed(actions: NDArray[Any], space: Space) -> NDArray[Any]:
    """Actions as small integers."""
    if not isinstance(space, Box):
        return np.asarray(actions, np.uint8)
    share = (np.asarray(actions, np.float64) - space.low) / (space.high.astype(np.float64) - space.low)
    return np.round(np.clip(share, 0.0, 1.0) * LEVELS).astype(np.uint16)


def unpacked(actions: NDArray[Any], space: Space) -> NDArray[Any]:
    """Actions of small integers."""
    if not isinstance(space, Box):
        return actions.astype(space.dtype)
    return (space.low + actions / LEVELS * (space.high.astype(np.float64) - space.low)).astype(space.dtype)
