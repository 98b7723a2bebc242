"""One GPU kernel per control interval.

Plain XLA starts a kernel for every few operations of the derivative, and the GPU waits for the starts. Here a block of
environments runs the whole interval, sub-steps and stages included, inside one Pallas kernel with its states in
registers. The model code is the same: `GreenLight.run_inline`, elementwise over the block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton

from phytotron.core.adjoint import with_adjoint
from phytotron.models.greenlight.parameters import Parameters
from phytotron.models.greenlight.states import Control, State, Weather

if TYPE_CHECKING:
    from phytotron.models.greenlight.simulation import GreenLight

BLOCK = 128  # environments per program
WARPS = 4


class Outcome(NamedTuple):
    """The result of a control interval."""

    state: State
    harvest: Any  # mg{CH2O} m-2, of fruit, in the interval


def run_fused(model: GreenLight, state: State, control: Control, weather: Weather, parameters: Parameters) -> Outcome:
    """Return `GreenLight.run` as one kernel, for a batch (fields of shape (n,)) or for one environment under `vmap`.

    Numbers among the inputs are compiled in; arrays, also of no dimension, are read by the kernel.
    """
    read, refill = _arrays((state, control, weather, parameters))

    def inline(*arrays: jax.Array) -> Outcome:
        return model.run_inline(*refill(arrays))

    def kernel(*arrays: jax.Array) -> Outcome:
        return _run_kernel(model, refill(arrays), state.air_temperature.shape[0])

    one = custom_vmap(inline)

    @one.def_vmap
    def mapped(size: int, _: Any, *arrays: jax.Array) -> tuple[Outcome, Outcome]:
        after = _run_kernel(model, refill(arrays), size)
        return after, jax.tree.map(lambda _: True, after)

    batch = jnp.ndim(state.air_temperature) == 1
    outcome: Outcome = with_adjoint(kernel if batch else one, inline)(*read)
    return outcome


def _arrays(inputs: Any) -> tuple[list[jax.Array], Callable[[Sequence[Any]], Any]]:
    """The arrays among the inputs, and a function that puts others in their places."""
    leaves, structure = jax.tree.flatten(inputs)
    read = [index for index, leaf in enumerate(leaves) if isinstance(leaf, jax.Array)]

    def refill(arrays: Sequence[Any]) -> Any:
        filled = list(leaves)
        for index, array in zip(read, arrays, strict=True):
            filled[index] = array
        return jax.tree.unflatten(structure, filled)

    return [leaves[index] for index in read], refill


def _run_kernel(model: GreenLight, inputs: tuple[State, Control, Weather, Parameters], size: int) -> Outcome:
    state = inputs[0]
    padded = -(-size // BLOCK) * BLOCK
    read, refill = _arrays(inputs)
    arrays = [_padded(array, size, padded) for array in read]
    outcome = Outcome(state, state.fruit_carbohydrate)  # of this structure and precision
    made = jax.tree.leaves(outcome)

    def kernel(*references: Any) -> None:
        sources, targets = references[: len(read)], references[len(read) :]
        after = model.run_inline(*refill([source[...] for source in sources]))
        for target, value in zip(targets, jax.tree.leaves(after), strict=True):
            target[...] = value

    spec = pl.BlockSpec((BLOCK,), lambda program: (program,))
    outputs = pl.pallas_call(
        kernel,
        out_shape=[jax.ShapeDtypeStruct((padded,), leaf.dtype) for leaf in made],
        grid=(padded // BLOCK,),
        in_specs=[spec] * len(arrays),
        out_specs=[spec] * len(made),
        compiler_params=triton.CompilerParams(num_warps=WARPS, num_stages=1),
        interpret=jax.default_backend() != "gpu",  # without a GPU: slow, for tests
        name="greenlight_interval",
    )(*arrays)
    return jax.tree.unflatten(jax.tree.structure(outcome), [output[:size] for output in outputs])


def _padded(leaf: jax.Array, size: int, padded: int) -> jax.Array:
    """Return a field for every environment, with the last one repeated up to a whole number of blocks."""
    whole = jnp.broadcast_to(leaf, (size,))
    return whole if padded == size else jnp.concatenate([whole, jnp.broadcast_to(whole[-1:], (padded - size,))])
