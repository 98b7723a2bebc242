"""A checkpoint gives back every leaf of a state, random keys included."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.core.errors import PhytotronError
from phytotron.training.checkpoints import list_checkpoints, load_checkpoint, save_checkpoint

STATE: dict[str, Any] = {
    "keys": jax.random.split(jax.random.key(7), 3),
    "raw": jax.random.PRNGKey(1),
    "count": jnp.asarray(5, jnp.int32),
    "flags": jnp.asarray([True, False]),
    "single": (jnp.asarray([np.nan, -0.0, 1e-40], jnp.float32), None),
    "double": jnp.asarray([[1.0 / 3.0]], jnp.float64),
    "nothing": jnp.zeros((0, 4), jnp.float32),
}


def test_every_leaf_comes_back(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, 12, STATE, {"updates": 3})
    found = load_checkpoint(tmp_path, jax.eval_shape(lambda: STATE), print)
    assert found is not None and found[1]["updates"] == 3 and found[1]["step"] == 12
    assert jax.tree.structure(found[0]) == jax.tree.structure(STATE)
    for one, other in zip(jax.tree.leaves(found[0]), jax.tree.leaves(STATE), strict=True):
        assert one.dtype == other.dtype and one.shape == other.shape
        if jnp.issubdtype(one.dtype, jax.dtypes.prng_key):
            one, other = map(jax.random.key_data, (one, other))
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()


def test_the_last_two_are_kept(tmp_path: Path) -> None:
    for step in (8, 900, 10_000):
        save_checkpoint(tmp_path, step, STATE, {})
    assert [path.name for path in list_checkpoints(tmp_path)] == ["step_000000000900", "step_000000010000"]
    assert len(list(tmp_path.iterdir())) == 4


def test_a_state_of_another_structure_is_refused(tmp_path: Path) -> None:
    assert load_checkpoint(tmp_path / "nowhere", STATE, print) is None
    save_checkpoint(tmp_path, 1, STATE, {})
    said: list[str] = []
    with pytest.raises(PhytotronError, match="none of its 1 checkpoints can be used"):
        load_checkpoint(tmp_path, STATE | {"count": jnp.zeros(2)}, said.append)
    assert "of another structure" in said[0]
