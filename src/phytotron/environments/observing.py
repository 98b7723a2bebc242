"""What the observations of all tasks share: parts with named quantities, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import jax.numpy as jnp
from jax import Array

from phytotron.core.errors import PhytotronError
from phytotron.core.fields import Quantity


class Observer(Protocol):
    """A part of the observation: named quantities, and their values in a situation of the task."""

    @property
    def quantities(self) -> tuple[Quantity, ...]: ...

    def observe(self, situation: Any) -> Array:
        """One value per quantity."""


@dataclass(frozen=True)
class Several:
    """Observers side by side."""

    parts: tuple[Observer, ...]

    def __post_init__(self) -> None:
        seen = [q.name for q in self.quantities]
        twice = sorted({name for name in seen if seen.count(name) > 1})
        if twice:
            raise PhytotronError(f"observed twice: {', '.join(twice)}; name each quantity once")

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        return tuple(q for part in self.parts for q in part.quantities)

    def observe(self, situation: Any) -> Array:
        return jnp.concatenate([part.observe(situation) for part in self.parts], axis=-1)


ObservationChoice = str | Observer | Iterable[str | Observer]


def choose_observer(choice: ObservationChoice, named: Callable[[str], Observer]) -> Observer:
    """What an option stands for: a name, which `named` knows, an observer, or any list of these."""
    if isinstance(choice, str):
        return named(choice)
    if hasattr(choice, "observe"):
        return choice  # type: ignore[return-value]
    try:
        parts = tuple(choose_observer(part, named) for part in choice)
    except TypeError:
        raise PhytotronError(
            f"observation is {choice!r}; expected a name, an observer, or a list of names and observers"
        ) from None
    if not parts:
        raise PhytotronError("observation is empty; name at least one quantity, or a group such as 'paper'")
    return Several(parts)
