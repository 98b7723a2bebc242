"""Checkpoints: the whole state of training, written so that an interruption at any moment loses a few minutes at most.

A checkpoint is a pair of files, step_000000204800.safetensors and .json. The last two are kept: an older one is removed
only when a new one is on disk. One that is incomplete or altered is skipped in favour of the one before it.
"""

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp

from phytotron.core.arrays import on_host
from phytotron.core.errors import PhytotronError
from phytotron.core.files import sha256
from phytotron.core.tensor_files import ABOUT, TENSORS, Tensors, pair, read_pair, write_pair

FORMAT = "phytotron-checkpoint-1"
KEPT = 2
REMEDY = "train again in a new folder"
NAMES_OF_0_1 = {".environments": ".fleet", ".trainable": ".learners"}  # by now, in files

Say = Callable[[str], None]


def save_checkpoint(folder: Path, step: int, state: Any, about: dict[str, Any]) -> None:
    """Write the state of training after a step, then remove all but the last two checkpoints."""
    tensors = {name: on_host(leaf) for name, leaf in _named_leaves(state).items()}
    header = {"format": FORMAT, "step": step, "structure": fingerprint(state), **about}
    header["seal"] = _seal(header)
    write_pair(folder / f"step_{step:012d}", tensors, header, durable=True)
    remove_old(folder)


def remove_old(folder: Path) -> None:
    """Remove all but the last two checkpoints, and files of checkpoints that were not completely written or removed.

    Files that the system does not allow to be removed are tried again next time.
    """
    kept = {path.name for path in list_checkpoints(folder)[-KEPT:]}
    for path in sorted(folder.glob("step_*")):  # .json before .safetensors, which is no checkpoint without it
        if path.suffix in (TENSORS, ABOUT) and path.stem not in kept:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def list_checkpoints(folder: Path) -> list[Path]:
    """Return the paths of all checkpoints without suffix, the oldest first."""
    return sorted(path.with_suffix("") for path in folder.glob("step_*.json"))


def load_checkpoint(folder: Path, template: Any, say: Say) -> tuple[Any, dict[str, Any]] | None:
    """Return the state and description of the last good checkpoint; None where none was written.

    `template` has the structure of the state, as `jax.eval_shape` returns it. `say` is called with a message for each
    checkpoint that is skipped.
    """
    paths = list_checkpoints(folder)
    for path in reversed(paths):
        try:
            return _load(path, template)
        except PhytotronError as error:
            say(f"checkpoint passed over: {error}")
    if paths:
        raise PhytotronError(f"{folder}: none of its {len(paths)} checkpoints can be used; {REMEDY}")
    return None


def fingerprint(state: Any) -> str:
    """Return a digest of the names, shapes and types in a state, which have to be the same to resume."""
    described = [f"{name} {leaf.shape} {leaf.dtype}" for name, leaf in _named_leaves(state).items()]
    return sha256("\n".join(described).encode())


def _load(path: Path, template: Any) -> tuple[Any, dict[str, Any]]:
    tensors, about = read_pair(path, FORMAT, "checkpoint", REMEDY)
    if about.get("seal") != _seal(about):
        raise PhytotronError(f"{pair(path)[1]} was altered")
    if about.get("structure") != fingerprint(template):
        raise PhytotronError(
            f"{path} is of a training state of another structure, of other settings or another version"
        )
    leaves = [_restored(tensors, name, leaf) for name, leaf in _named_leaves(template).items()]
    return jax.tree.unflatten(jax.tree.structure(template), leaves), about


def _seal(about: dict[str, Any]) -> str:
    """Return a checksum of the description of the tensors."""
    sealed = {name: value for name, value in about.items() if name not in ("seal", "sha256")}
    return sha256(json.dumps(sealed, sort_keys=True).encode())


def _named_leaves(state: Any) -> dict[str, Any]:
    """Return the leaves of a state by their path, as files have it: those of 0.1.0 stay readable."""
    found = jax.tree_util.tree_leaves_with_path(state)
    return {_on_disk(jax.tree_util.keystr(path)): leaf for path, leaf in found}


def _on_disk(name: str) -> str:
    for now, before in NAMES_OF_0_1.items():
        name = name.replace(now, before)
    return name


def _is_key(leaf: Any) -> bool:
    return bool(jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key))


def _restored(tensors: Tensors, name: str, leaf: Any) -> jax.Array:
    like = jax.eval_shape(jax.random.key_data, leaf) if _is_key(leaf) else leaf
    if name not in tensors or (tensors[name].shape, tensors[name].dtype) != (like.shape, like.dtype):
        raise PhytotronError(f"its {name} is missing or of another shape or type")
    array = jnp.asarray(tensors[name])
    return jax.random.wrap_key_data(array) if _is_key(leaf) else array
