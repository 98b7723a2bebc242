"""Common parts of all observations: a catalogue of named quantities that can be observed, and selections from it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import jax.numpy as jnp
from jax import Array

from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.core.fields import Quantity, quantities


class Observer(Protocol):
    """A part of the observation: named quantities, and their values in a situation of the task."""

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """Return the description of each component, in order."""

    def observe(self, situation: Any) -> Array:
        """Return one value per quantity, along the last axis."""


ObservationChoice = str | Observer | Iterable[str | Observer]
Observable = tuple[Quantity, Callable[[Any], Any]]  # the function gives the value in a situation of the task


def observables(*rows: tuple[Any, ...]) -> dict[str, Observable]:
    """Return observables by name, from rows (name, symbol, unit, meaning, low, high, function of the situation)."""
    return {row[0]: (Quantity(*row[:6]), row[6]) for row in rows}


def observables_of(record: type[Any], prefix: str, part: Callable[[Any], Any]) -> dict[str, Observable]:
    """Return every quantity of a record under the name prefix.name; `part` finds the record in a situation."""

    def observable(q: Quantity) -> Observable:
        return replace(q, name=f"{prefix}.{q.name}"), lambda situation: getattr(part(situation), q.name)

    return {f"{prefix}.{q.name}": observable(q) for q in quantities(record)}


class Catalogue(dict[str, Observable]):
    """All quantities of a task that can be observed, by name.

    `groups` are named selections; in addition, every prefix is a group: "state" stands for all of "state.x". With
    `by_symbol`, published symbols are valid names too, each for the first quantity that carries it (`symbols`).
    """

    def __init__(
        self,
        observables: Mapping[str, Observable],
        groups: Mapping[str, tuple[str, ...]] | None = None,
        by_symbol: bool = False,
    ) -> None:
        super().__init__(observables)
        prefixes = {name.partition(".")[0] for name in observables if "." in name}
        by_prefix = {each: tuple(name for name in observables if name.startswith(f"{each}.")) for each in prefixes}
        self.groups = {**by_prefix, **(groups or {})}
        self.symbols = {q.symbol: name for name, (q, _) in reversed(self.items()) if by_symbol}

    def resolve(self, names: Iterable[str], others: Iterable[str] = ()) -> tuple[str, ...]:
        """Return the names of observables, given by name or symbol.

        Unknown names are refused; `others` are names that are known elsewhere.
        """
        resolved = tuple(self.symbols.get(name, name) for name in names)
        for name in resolved:
            if name not in self:
                raise UnknownNameError("observable", name, [*others, *self.groups, *self, *self.symbols])
        return resolved

    def choose(self, choice: ObservationChoice, others: Mapping[str, Observer] | None = None) -> Observer:
        """Return the observer that an option stands for: a name, an observer, or any list of these.

        Names are those of groups, of observables, and of `others`: observers that are not selections of the catalogue.
        """
        others = others or {}
        if isinstance(choice, str):
            if choice in others:
                return others[choice]
            return SelectedQuantities(self, self.resolve(self.groups.get(choice, (choice,)), others))
        if hasattr(choice, "observe"):
            return choice  # type: ignore[return-value]
        if not isinstance(choice, Iterable):
            raise PhytotronError(
                f"observation is {choice!r}; expected a name, an observer, or a list of names and observers"
            )
        parts = tuple(self.choose(part, others) for part in choice)
        if not parts:
            groups = ", ".join(sorted({*others, *self.groups})) or "there is none"
            raise PhytotronError(f"observation is empty; name at least one quantity, or a group: {groups}")
        return JoinedObservers(parts)


@dataclass(frozen=True)
class JoinedObservers:
    """Several observers, whose observations are joined."""

    parts: tuple[Observer, ...]

    def __post_init__(self) -> None:
        names = [q.name for q in self.quantities]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise PhytotronError(f"observed twice: {', '.join(twice)}; name each quantity once")

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """Return the quantities of all parts, one part after the other."""
        return tuple(q for part in self.parts for q in part.quantities)

    def observe(self, situation: Any) -> Array:
        """Return the observations of all parts as one vector."""
        return jnp.concatenate([part.observe(situation) for part in self.parts], axis=-1)


@dataclass(frozen=True, eq=False)
class SelectedQuantities:
    """Some observables of a catalogue, by name or symbol, in the order given."""

    catalogue: Catalogue
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", self.catalogue.resolve(self.names))

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """Return the quantities of the chosen names."""
        return tuple(self.catalogue[name][0] for name in self.names)

    def observe(self, situation: Any) -> Array:
        """Return the values of the chosen names as one vector."""
        return jnp.stack([jnp.asarray(self.catalogue[name][1](situation)) for name in self.names], axis=-1)
