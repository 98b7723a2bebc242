"""Policies go through files unharmed, and what is no policy is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from toy_environments import Countdown

from phytotron.agents.actions import Scaling
from phytotron.agents.networks import mlp
from phytotron.agents.normalisation import Moments
from phytotron.agents.policy import Policy
from phytotron.agents.policy_files import check_fits, describe_spaces, load_policy, read_about, save_policy
from phytotron.core.errors import PhytotronError
from phytotron.core.files import sha256
from phytotron.core.spaces import Box
from phytotron.environments.wheat import WheatNitrogen

KEY = jax.random.key(3)
SEEN = jnp.asarray([4.0, 1.0, 0.3], jnp.float32)


def made(head: str = "gaussian") -> Policy:
    network = mlp(KEY, 3, (5, 4), 4 if head == "squashed" else 2, "silu")
    moments = Moments.of_nothing((3,)).with_batch(1e7 * jax.random.normal(KEY, (9, 3), jnp.float32))
    scaling = None if head == "categorical" else Scaling.of(Box(np.array([0.0, -1.0]), np.array([2.0, 1.0])))
    return Policy(network, moments, jnp.full(2, -0.5, jnp.float32), scaling, head, 10.0)


def act(policy: Policy) -> Any:
    return np.asarray(policy.act(KEY, (), SEEN, None, None)[0])


@pytest.mark.parametrize("head", ["gaussian", "squashed", "categorical"])
@pytest.mark.parametrize("suffix", ["", ".safetensors", ".json"])
def test_a_policy_comes_back_as_it_was(head: str, suffix: str, tmp_path: Path) -> None:
    policy = made(head)
    save_policy(tmp_path / "seed_0.5", policy, {"training": {"seed": 0}})
    loaded = load_policy(tmp_path / f"seed_0.5{suffix}")
    assert jax.tree.structure(policy) == jax.tree.structure(loaded)
    for one, other in zip(jax.tree.leaves(policy), jax.tree.leaves(loaded), strict=True):
        assert one.dtype == other.dtype == jnp.float32
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(act(policy), act(loaded))
    assert read_about(tmp_path / "seed_0.5")["training"] == {"seed": 0}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["seed_0.5.json", "seed_0.5.safetensors"]


def test_half_precision_takes_half_the_room_and_gives_nearly_the_same_actions(tmp_path: Path) -> None:
    policy = made()
    for precision in ("float32", "float16"):
        save_policy(tmp_path / precision, policy, {}, precision)
    stored = load_file(tmp_path / "float16.safetensors")
    assert stored["network.layers.0.weight"].dtype == np.float16
    assert stored["moments.variance"].dtype == np.float32  # 1e14 is too large for float16
    loaded = load_policy(tmp_path / "float16")
    assert {each.dtype for each in jax.tree.leaves(loaded)} == {np.dtype(np.float32)}
    np.testing.assert_allclose(act(loaded), act(policy), atol=2e-3)  # eleven bits of mantissa
    with pytest.raises(PhytotronError, match="unknown precision 'float8'; did you mean"):
        save_policy(tmp_path / "x", policy, {}, "float8")


class Trap:
    """Goes off when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (pytest.fail, ("a pickle was opened",))


@pytest.mark.parametrize("name", ["policy.pkl", "policy.zip", "policy.pt", "policy.safetensors"])
@pytest.mark.parametrize("protocol", [0, 2, 5])
def test_a_pickle_is_refused_unread(name: str, protocol: int, tmp_path: Path) -> None:
    import pickle  # as someone who means harm would

    (tmp_path / name).write_bytes(pickle.dumps(Trap(), protocol))
    (tmp_path / "policy.json").write_text('{"format": "phytotron-policy-1"}')
    with pytest.raises(PhytotronError, match=r"policy\.\w+: .*(can run code|is a pickle|is no safetensors)"):
        load_policy(tmp_path / name)


def _retold(path: Path, **changes: Any) -> None:
    about = json.loads(path.with_suffix(".json").read_text())
    about |= {"sha256": sha256(path.with_suffix(".safetensors").read_bytes())} | changes
    path.with_suffix(".json").write_text(json.dumps(about))


def _changed(name: str, value: Any) -> Any:
    def change(path: Path) -> None:
        tensors = load_file(path.with_suffix(".safetensors"))
        tensors[name] = np.asarray(value, np.float32)
        save_file(tensors, path.with_suffix(".safetensors"))
        _retold(path)

    return change


def _cut(path: Path) -> None:
    data = path.with_suffix(".safetensors")
    data.write_bytes(data.read_bytes()[:-7])


def _flip(path: Path) -> None:
    data = bytearray(path.with_suffix(".safetensors").read_bytes())
    data[-3] ^= 1
    path.with_suffix(".safetensors").write_bytes(data)


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (_cut, "altered, or not wholly written|part of one"),
        (_flip, "its SHA-256 is not the one in policy.json"),
        (lambda path: path.with_suffix(".safetensors").write_bytes(b""), "no safetensors file, or a part of one"),
        (lambda path: path.with_suffix(".safetensors").unlink(), "no such file, which the policy needs"),
        (lambda path: path.with_suffix(".json").unlink(), r"policy.json: there is no such file"),
        (lambda path: path.with_suffix(".json").write_text('{"format": '), "it is no JSON"),
        (lambda path: path.with_suffix(".json").write_text("[1]"), "its format is None"),
        (lambda path: _retold(path, format="phytotron-run-1"), "so it is no policy"),
        (lambda path: _retold(path, head="beta"), "its head, activation or clip"),
        (lambda path: _retold(path, activation=["silu"]), "its head, activation or clip"),
        (lambda path: _retold(path, head="squashed"), r"scaling.centre is \(2,\) where \(1,\) is expected"),
        (lambda path: _retold(path, clip=None), "its head, activation or clip"),
        (_changed("network.layers.0.bias", [0.0, np.nan, 0.0, 0.0, 0.0]), "bias has values that are not finite"),
        (_changed("network.layers.1.weight", np.zeros((4, 6))), r"weight is \(4, 6\) where \(4, 5\) is expected"),
        (_changed("network.layers.1.weight", np.zeros(4)), "of other than two dimensions"),
        (_changed("moments.mean", np.zeros(4)), r"moments.mean is \(4,\) where \(3,\)"),
        (_changed("moments.variance", -np.ones(3)), "variance is negative"),
    ],
)
def test_harmed_files_are_refused_and_named(harm: Any, message: str, tmp_path: Path) -> None:
    save_policy(tmp_path / "policy", made(), {})
    harm(tmp_path / "policy")
    with pytest.raises(PhytotronError, match=message) as caught:
        load_policy(tmp_path / "policy")
    assert str(tmp_path / "policy") in str(caught.value) and "; " in str(caught.value)


def test_what_is_no_policy_is_not_written(tmp_path: Path) -> None:
    broken = jax.tree.map(lambda each: each * jnp.nan, made())
    with pytest.raises(PhytotronError, match="not finite"):
        save_policy(tmp_path / "policy", broken, {})
    stacked = jax.tree.map(lambda each: jnp.stack([each, each]), made())
    with pytest.raises(PhytotronError, match="a policy of one seed"):
        save_policy(tmp_path / "policy", stacked, {})
    large = jax.tree.map(lambda each: each * 1e6, made())
    with pytest.raises(PhytotronError, match="too large for float16"):
        save_policy(tmp_path / "policy", large, {}, "float16")
    assert not list(tmp_path.iterdir())


def test_a_policy_for_another_task_is_refused() -> None:
    toy, wheat = Countdown(), WheatNitrogen()
    check_fits(made(), toy)
    check_fits(describe_spaces(toy), toy)
    with pytest.raises(PhytotronError, match="looks at 3 numbers; the observation of phytotron/WheatNitrogen-v0 has"):
        check_fits(made(), wheat)
    with pytest.raises(PhytotronError, match=r"runs/x was trained with 3 values of observation"):
        check_fits(describe_spaces(toy) | {"environment": {"id": toy.id}}, wheat, "runs/x")
    with pytest.raises(PhytotronError, match="gives choices, which are not the actions"):
        check_fits(made("categorical"), toy)
    other = WheatNitrogen(doses=(0.0, 10.0, 20.0, 30.0))
    with pytest.raises(PhytotronError, match="values of action"):
        check_fits(describe_spaces(other), wheat)


@pytest.mark.parametrize("head", ["gaussian", "squashed", "categorical"])
def test_a_policy_predicts_as_models_of_stable_baselines_do(head: str) -> None:
    policy = made(head)
    action, state = policy.predict(np.asarray(SEEN))
    np.testing.assert_allclose(action, act(policy), rtol=1e-6)
    batch, _ = policy.predict(np.stack([SEEN, 2.0 * SEEN]))
    np.testing.assert_allclose(batch[0], action, rtol=1e-6)
    assert isinstance(action, np.ndarray) and state is None and len(batch) == 2
    with pytest.raises(PhytotronError, match=r"the observation has shape \(2,\); expected \(\.\.\., 3\)"):
        policy.predict(np.zeros(2))
    with pytest.raises(PhytotronError, match="most likely action"):
        policy.predict(np.asarray(SEEN), deterministic=False)
