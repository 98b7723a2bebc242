"""The contract of controllers: `start` and `act`, two pure functions."""

from abc import abstractmethod
from typing import Any, Protocol

from jax import Array

Memory = Any  # a pytree; () for controllers that remember nothing


class Controller(Protocol):
    """A controller chooses actions. Both methods are pure functions, so that they can be used under `jit` and `vmap`.

    A trained agent uses the observation only; a rule may use the state, which holds the whole environment. Any object
    with these two methods is a controller, whether or not it inherits from this class. A controller that cannot act
    from every start also has a method `check_starts(labels)`, which raises an error if one of the labels is such a
    start. One that knows what is to come, so that no other can be expected to do better, has `bound = True`.
    """

    def start(self, key: Array) -> Memory:
        """Return the memory at the start of an episode."""
        return ()

    @abstractmethod
    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """Return the action, and the memory for the next step."""
