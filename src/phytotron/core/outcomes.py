"""What a step gives, checked while it is traced: what would fail later and elsewhere is refused here."""

from __future__ import annotations

from typing import Any

import jax

from phytotron.core.errors import PhytotronError


def check_outcome(id: str, before: Any, outcome: Any) -> None:
    """Refuse an outcome of `Environment.transition` without costs, or with another kind of state than before."""
    _, after, *_, info = outcome
    if "costs" not in info:
        raise PhytotronError(f'{id} gives no info["costs"]; give one value per constraint, {{}} where there is none')
    changed = state_changes(before, after)
    if changed:
        raise PhytotronError(f"a step of {id} changes its state: {changed[0]}; keep structure, shapes and dtypes")


def state_changes(before: Any, after: Any) -> list[str]:
    """In words, where structure, shape or dtype of two states differ."""
    structures: list[Any] = [jax.tree.structure(before), jax.tree.structure(after)]
    if structures[0] != structures[1]:
        return [f"its structure was {structures[0]} and is {structures[1]}"]
    pairs = zip(jax.tree.leaves_with_path(before), jax.tree.leaves(after), strict=True)
    kinds = [(jax.tree_util.keystr(path), _kind(old), _kind(new)) for (path, old), new in pairs]
    return [f"{name} was {old} and is {new}" for name, old, new in kinds if old != new]


def _kind(leaf: Any) -> str:
    kind = jax.typeof(leaf)
    return f"{kind.dtype}{list(kind.shape)}"
