"""Sums over episodes, added up on the device while they run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.controllers.base import Controller
from phytotron.core.compilation import single_kernel
from phytotron.core.environment import Environment
from phytotron.evaluation.rollout import Progress

CHUNK = 288  # steps that are added up in the precision of the device; chunks are added up in float64

Function = Callable[..., Any]


class _Carry(NamedTuple):
    key: Array
    observation: Array
    state: Any
    memory: Any
    active: Array
    age: Array


class Totals:
    """Runs policies that are given to `run` stacked (policies, ...), or one controller, which is compiled in.

    What was compiled is kept: the next policies of the same structure start at once.
    """

    def __init__(self, env: Environment[Any, Any], controller: Controller | None) -> None:
        self.env = env
        self.controller = controller
        self.length = -(-env.episode_steps // -(-env.episode_steps // CHUNK))
        self._compiled: dict[Any, tuple[Function, Function]] = {}

    def run(
        self, policies: Any, keys: Array, params: Any, axes: Any, progress: Progress | None
    ) -> dict[str, NDArray[np.float64]]:
        """Sums (policies, keys) of the reward, of the steps and of every measure; steps after the end do not count."""
        policies = policies if self.controller is None else jnp.zeros(1)  # one row
        begin, advance = self._functions(axes)
        carry = begin(policies, keys, params)
        sums: dict[str, Any] = {}
        steps = self.env.episode_steps
        for done in range(self.length, steps + self.length, self.length):
            carry, added = advance(policies, carry, params)
            for name, each in added.items():
                sums[name] = sums.get(name, 0.0) + np.asarray(each, np.float64)
            over = not bool(jnp.any(carry.active))
            if progress is not None:
                progress(steps if over else min(done, steps), steps)
            if over:
                break
        return sums

    def _functions(self, axes: Any) -> tuple[Function, Function]:
        leaves, structure = jax.tree.flatten(axes, is_leaf=lambda axis: axis is None)
        name = (tuple(leaves), structure)
        if name not in self._compiled:
            begin = jax.jit(self._over_rows(self._begin, axes, same=True))
            as_kernels, as_it_is = (jax.jit(self._several(axes, how)) for how in (single_kernel, _unchanged))
            self._compiled[name] = begin, _or_else(as_kernels, as_it_is)
        return self._compiled[name]

    def _over_rows(self, function: Function, axes: Any, same: bool = False) -> Function:
        """`vmap` over policies and, within, over windows; `same`: all policies are given the same rows."""
        return jax.vmap(jax.vmap(function, (None, 0, axes)), (0, None if same else 0, None))

    def _acting(self, policy: Any) -> Controller:
        return policy if self.controller is None else self.controller

    def _begin(self, policy: Any, key: Array, params: Any) -> _Carry:
        key, first, remember = jax.random.split(key, 3)
        observation, state = self.env.initial(first, params)
        memory = self._acting(policy).start(remember)
        return _Carry(key, observation, state, memory, jnp.ones((), bool), jnp.zeros((), jnp.int32))

    def _choose(self, policy: Any, carry: _Carry, params: Any) -> tuple[Array, Any]:
        _, choose, _ = jax.random.split(carry.key, 3)
        action, memory = self._acting(policy).act(choose, carry.memory, carry.observation, carry.state, params)
        return jnp.asarray(action, self.env.action_space.dtype), memory

    def _move(self, policy: Any, row: tuple[_Carry, Array, Any], params: Any) -> tuple[_Carry, dict[str, Array]]:
        now, action, memory = row
        key, _, move = jax.random.split(now.key, 3)
        observation, state, reward, terminated, truncated, info = self.env.transition(move, now.state, action, params)
        steps = {measure.quantity.name: measure.of(info) for measure in self.env.measures}
        steps |= {"return": reward, "length": 1.0}
        kind = jnp.result_type(float)
        added = {name: jnp.where(now.active, jnp.asarray(each, kind), 0.0) for name, each in steps.items()}
        before = (now.observation, now.state, now.memory)
        seen, held, remembered = jax.tree.map(
            lambda new, old: jnp.where(now.active, new, old), (observation, state, memory), before
        )
        age = now.age + 1
        active = now.active & ~(terminated | truncated) & (age < self.env.episode_steps)
        return _Carry(key, seen, held, remembered, active, age), added

    def _several(self, axes: Any, as_kernel: Callable[[Function], Function]) -> Function:
        # A network is faster outside the kernel of the model, the many small operations of a rule inside.
        choose, move = self._over_rows(self._choose, axes), as_kernel(self._over_rows(self._move, axes))
        if self.controller is not None:
            choose = as_kernel(choose)

        def advance(policies: Any, carry: _Carry, params: Any) -> tuple[_Carry, dict[str, Array]]:
            def step(now: tuple[_Carry, Any], _: None) -> tuple[tuple[_Carry, Any], None]:
                rows, sums = now
                action, memory = choose(policies, rows, params)
                rows, added = move(policies, (rows, action, memory), params)
                return (rows, {name: each + added[name] for name, each in sums.items()}), None

            zeros = jnp.zeros(carry.active.shape, jnp.result_type(float))
            names = ("return", "length", *(measure.quantity.name for measure in self.env.measures))
            return jax.lax.scan(step, (carry, dict.fromkeys(names, zeros)), length=self.length)[0]

        return advance


def _unchanged(function: Function) -> Function:
    return function


def _or_else(first: Function, second: Function) -> Function:
    """The first of two compiled functions, or the second where XLA cannot make the first."""
    chosen: Function | None = None

    def call(*arguments: Any) -> Any:
        nonlocal chosen
        if chosen is None:
            try:
                result = jax.block_until_ready(first(*arguments))
            except jax.errors.JaxRuntimeError:
                chosen = second
            else:
                chosen = first
                return result
        return chosen(*arguments)

    return call
