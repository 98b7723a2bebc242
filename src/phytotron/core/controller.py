"""The contract of controllers."""

from abc import abstractmethod
from typing import Any, Protocol

from jax import Array

Memory = Any  # a pytree; () for controllers that remember nothing


class Controller(Protocol):
    """Chooses actions. Both methods are pure, so that `jit` and `vmap` go through them.

    A trained agent looks at the observation only; a rule may look at the state, which holds the whole environment. Any
    object with these two methods is a controller, whether or not it inherits from this class. One that
    cannot act from every start has a method `check_starts(labels)` too, which raises an error where one is among them.
    """

    def start(self, key: Array) -> Memory:
        """Return the memory at the start of an episode."""
        return ()

    @abstractmethod
    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """Return the action, and what is remembered from now on."""
