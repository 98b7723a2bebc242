"""Networks: how weights are drawn, and what is computed from them."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.agents.networks import ACTIVATIONS, mlp, orthogonal_matrix, with_linear_part
from phytotron.core.errors import PhytotronError

KEY = jax.random.key(0)


@pytest.mark.parametrize("activation", sorted(ACTIVATIONS))
def test_a_network_is_affine_maps_with_activations_between(activation: str) -> None:
    network = mlp(KEY, 3, (5, 4), 2, activation, orthogonal=False)
    x = np.array([[0.3, -1.2, 2.0], [0.0, 0.5, -0.5]], np.float32)
    function = {"tanh": np.tanh, "relu": lambda v: np.maximum(v, 0), "silu": lambda v: v / (1 + np.exp(-v))}[activation]
    expected = x
    for index, layer in enumerate(network.layers):
        expected = expected @ np.asarray(layer.weight).T + np.asarray(layer.bias)
        expected = function(expected) if index < 2 else expected
    np.testing.assert_allclose(network(jnp.asarray(x)), expected, rtol=1e-5, atol=1e-6)


def test_orthogonal_weights_have_their_gains_and_no_bias() -> None:
    network = mlp(KEY, 8, (8, 8), 8, "tanh", last_gain=0.01)
    for layer, gain in zip(network.layers, (np.sqrt(2.0), np.sqrt(2.0), 0.01), strict=True):
        product = np.asarray(layer.weight) @ np.asarray(layer.weight).T
        np.testing.assert_allclose(product, gain**2 * np.eye(8), atol=1e-5)
        assert not np.any(layer.bias)


def test_other_weights_are_uniform_within_the_root_of_the_inputs() -> None:
    network = mlp(KEY, 400, (100,), 50, "relu", orthogonal=False)
    for layer, inputs in zip(network.layers, (400, 100), strict=True):
        bound = 1.0 / np.sqrt(inputs)
        for leaf in (layer.weight, layer.bias):
            assert float(jnp.max(jnp.abs(leaf))) <= bound
        # Of a uniform variable; the standard error of the variance is sqrt(4/5 / n) of it, at most 1.3 % here.
        assert float(jnp.var(layer.weight)) == pytest.approx(bound**2 / 3.0, rel=0.06)


def test_it_stays_in_single_precision_where_double_is_enabled() -> None:
    for orthogonal in (True, False):
        network = mlp(KEY, 3, (4,), 2, "silu", orthogonal=orthogonal)
        assert {leaf.dtype for leaf in jax.tree.leaves(network)} == {jnp.dtype(jnp.float32)}
        assert network(jnp.ones(3, jnp.float32)).dtype == jnp.float32


def test_one_key_gives_one_network_and_another_key_another() -> None:
    same = mlp(KEY, 3, (4,), 2, "tanh"), mlp(KEY, 3, (4,), 2, "tanh")
    assert all(map(np.array_equal, *map(jax.tree.leaves, same)))
    other = mlp(jax.random.key(1), 3, (4,), 2, "tanh")
    assert not np.array_equal(same[0].layers[0].weight, other.layers[0].weight)


@pytest.mark.parametrize(("hidden", "activation", "says"), [((4,), "tan", "tanh"), ((4, 0), "tanh", "at least 1")])
def test_what_makes_no_network_is_refused(hidden: tuple[int, ...], activation: str, says: str) -> None:
    with pytest.raises(PhytotronError, match=says):
        mlp(KEY, 3, hidden, 2, activation)


@pytest.mark.parametrize(("rows", "columns"), [(7, 3), (3, 7), (5, 5), (1, 4)])
def test_the_rows_or_columns_of_an_orthogonal_matrix_are_orthonormal(rows: int, columns: int) -> None:
    made = jax.vmap(lambda key: orthogonal_matrix(key, rows, columns))(jax.random.split(KEY, 6))
    assert made.shape == (6, rows, columns) and made.dtype == jnp.float32
    product = made @ made.swapaxes(1, 2) if rows <= columns else made.swapaxes(1, 2) @ made
    np.testing.assert_allclose(product, np.broadcast_to(np.eye(min(rows, columns)), product.shape), atol=1e-5)
    assert np.ptp(np.asarray(made), axis=0).min() > 0.0  # every key draws its own


@pytest.mark.parametrize("hidden", [(), (5,), (5, 4, 6)])
@pytest.mark.parametrize("activation", ["relu", "silu"])
def test_a_linear_part_is_added_to_the_outputs_by_units_of_a_plain_network(
    hidden: tuple[int, ...], activation: str
) -> None:
    network = mlp(KEY, 4, hidden, 2, activation)
    x, weight = jax.random.normal(KEY, (7, 4)), jnp.asarray([[3.0, -0.5], [0.0, 20.0]])
    both = with_linear_part(network, (3, 1), weight)
    np.testing.assert_allclose(both(x), network(x) + x[:, jnp.array([3, 1])] @ weight.T, rtol=1e-5, atol=1e-5)
    assert [layer.bias.shape[0] for layer in both.layers] == [*(width + 4 for width in hidden), 2]


def test_an_activation_that_carries_no_input_unchanged_is_refused() -> None:
    with pytest.raises(PhytotronError, match="relu or silu"):
        with_linear_part(mlp(KEY, 4, (5,), 2, "tanh"), (0,), jnp.ones((2, 1)))
