"""Policy files: the weights in NAME.safetensors, their description in NAME.json, and never pickles.

A policy that is incomplete, altered, not finite or of inconsistent shapes is refused.
"""

import dataclasses
import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.agents.actions import Scaling, outputs
from phytotron.agents.networks import ACTIVATIONS, MLP, Layer
from phytotron.agents.normalisation import Moments
from phytotron.agents.policy import HEADS, Policy
from phytotron.core import tensor_files
from phytotron.core.environment import Environment
from phytotron.core.errors import DataFileError, PhytotronError, UnknownNameError
from phytotron.core.spaces import Discrete, Space
from phytotron.core.tensor_files import Tensors

FORMAT = "phytotron-policy-1"
PRECISIONS = ("float32", "float16")
REMEDY = "take the file from where it was written, or train the policy again"
WEIGHTS = "network."  # what float16 is for; moments can be too large for it


def save_policy(path: Path | str, policy: Policy, about: dict[str, Any], precision: str = "float32") -> None:
    """Write NAME.safetensors and NAME.json; `about`: "environment" (see `describe_spaces`), "training" and others.

    With float16, the weights of the network take half the space and have three digits; they are loaded as float32.
    """
    if precision not in PRECISIONS:
        raise UnknownNameError("precision", precision, PRECISIONS)
    if not isinstance(policy, Policy):
        raise PhytotronError(f"{type(policy).__name__} has no form as a file; only `agents.policy.Policy` can be saved")
    tensors = _tensors(policy)
    head = {"head": policy.head, "activation": policy.network.activation, "clip": float(policy.clip)}
    _check(Path(path), tensors, head, "give a policy of one seed, after training that did not diverge")
    if precision == "float16":
        with np.errstate(over="ignore"):
            tensors = {k: v.astype(np.float16) if k.startswith(WEIGHTS) else v for k, v in tensors.items()}
        if not all(np.all(np.isfinite(each)) for each in tensors.values()):
            raise PhytotronError(f"{path}: some weights are too large for float16; use precision='float32'")
    tensor_files.write_pair(path, tensors, {"format": FORMAT, **head, "precision": precision, **about})


def load_policy(path: Path | str) -> Policy:
    """Return the policy of a file, in float32; the path may have either suffix or none."""
    tensors, about = tensor_files.read_pair(path, FORMAT, "policy", REMEDY)
    file = tensor_files.pair(path)[0]
    tensors = {name: np.asarray(each, np.float32) for name, each in tensors.items()}
    _check(file, tensors, about, REMEDY)

    def part(name: str, kind: type[Any]) -> Any:
        return kind(*(jnp.asarray(tensors[f"{name}.{each.name}"]) for each in dataclasses.fields(kind)))

    network = MLP(tuple(part(f"network.layers.{n}", Layer) for n in range(_depth(tensors))), about["activation"])
    scaling = None if about["head"] == "categorical" else part("scaling", Scaling)
    log_std = jnp.asarray(tensors["log_std"])
    return Policy(network, part("moments", Moments), log_std, scaling, about["head"], about["clip"])


def load_policies(paths: Sequence[Path], environment: Environment[Any, Any]) -> list[Policy]:
    """Return the policies of some files; an error where one does not fit the environment."""
    loaded = []
    for path in paths:
        policy = load_policy(path)
        check_fits(read_about(path), environment, str(path))
        check_fits(policy, environment, str(path))
        loaded.append(policy)
    return loaded


def read_about(path: Path | str) -> dict[str, Any]:
    """Return the content of the JSON file of a policy."""
    return tensor_files.read_about(path, FORMAT, "policy", REMEDY)


def describe_spaces(environment: Environment[Any, Any]) -> dict[str, list[str]]:
    """Return the names of what a policy observes and does, for `about`."""
    return {"observation": _names(environment.observation_space), "action": _names(environment.action_space)}


def check_fits(policy: Policy | dict[str, Any], environment: Environment[Any, Any], name: str = "the policy") -> None:
    """Refuse a policy, or its description, that was made for other observations or actions than the environment's."""
    if isinstance(policy, Policy):
        _check_sizes(policy, environment, name)
        return
    for what, expected in describe_spaces(environment).items():
        found = policy.get(what)
        if found is None or found == expected:
            continue
        differing = [each for each in found if each not in expected] or [each for each in expected if each not in found]
        detail = f", e.g. {differing[0]!r}" if differing else ", in another order"
        raise PhytotronError(
            f"{name} was trained with {len(found)} values of {what} and {environment.id} has {len(expected)}"
            f"{detail}; make the environment with the options it was trained with: {policy.get('environment')}"
        )


def _check_sizes(policy: Policy, environment: Environment[Any, Any], name: str) -> None:
    space = environment.action_space
    size = int(np.prod(environment.observation_space.shape))
    inputs = policy.network.layers[0].weight.shape[-1]
    if inputs != size:
        raise PhytotronError(f"{name} looks at {inputs} numbers; the observation of {environment.id} has {size}")
    if isinstance(space, Discrete) != (policy.head == "categorical"):
        kind = "choices" if policy.head == "categorical" else "continuous actions"
        raise PhytotronError(f"{name} gives {kind}, which are not the actions of {environment.id}")
    given = policy.network.layers[-1].bias.shape[-1] // (2 if policy.head == "squashed" else 1)
    if given != outputs(space):
        raise PhytotronError(f"{name} has {given} outputs; {environment.id} wants {outputs(space)}")


def _names(space: Space) -> list[str]:
    return list(space.names) or [str(n) for n in range(outputs(space))]


def _tensors(policy: Policy) -> Tensors:
    """All arrays of a policy by their place in it, such as "network.layers.0.weight"."""
    place = functools.partial(jax.tree_util.keystr, simple=True, separator=".")
    return {place(path): np.asarray(leaf, np.float32) for path, leaf in jax.tree.leaves_with_path(policy)}


def _depth(tensors: Tensors) -> int:
    return sum(name.startswith(WEIGHTS) and name.endswith(".weight") for name in tensors)


def _check(file: Path, tensors: Tensors, about: dict[str, Any], remedy: str) -> None:
    """Refuse what makes no policy."""
    head, clip, activation = about.get("head"), about.get("clip"), about.get("activation")
    known = head in HEADS and activation in tuple(ACTIVATIONS) and isinstance(clip, float) and clip > 0.0
    if not known:
        raise DataFileError(file, "its head, activation or clip is none that is known", remedy)
    for name, shape in _shapes(file, tensors, str(head), remedy).items():
        found = tensors[name].shape if name in tensors else "missing"
        if found != shape:
            raise DataFileError(file, f"{name} is {found} where {shape} is expected", remedy)
    for name, each in tensors.items():
        if not np.all(np.isfinite(each)):
            raise DataFileError(file, f"{name} has values that are not finite", remedy)
    if np.any(tensors["moments.variance"] < 0.0):
        raise DataFileError(file, "moments.variance is negative", remedy)


def _shapes(file: Path, tensors: Tensors, head: str, remedy: str) -> dict[str, tuple[int, ...]]:
    """Return the shape that every tensor must have, by name; the widths of the network are those of its weights."""
    depth = _depth(tensors)
    shapes: dict[str, tuple[int, ...]] = {}
    weights = [tensors.get(f"network.layers.{n}.weight") for n in range(depth)]
    if not depth or any(each is None or each.ndim != 2 for each in weights):
        raise DataFileError(file, "the weights of its network are missing or of other than two dimensions", remedy)
    rows = [each.shape for each in weights if each is not None]
    for n, (width, inputs) in enumerate(rows):
        shapes[f"network.layers.{n}.weight"] = (width, inputs if n == 0 else rows[n - 1][0])
        shapes[f"network.layers.{n}.bias"] = (width,)
    shapes |= {"moments.mean": (rows[0][1],), "moments.variance": (rows[0][1],), "moments.count": ()}
    last = rows[-1][0]
    shapes["log_std"] = (last,) if head == "gaussian" else np.shape(tensors.get("log_std", ()))
    if head != "categorical":
        components = last // 2 if head == "squashed" else last
        shapes |= {f"scaling.{each.name}": (components,) for each in dataclasses.fields(Scaling)}
    return shapes
