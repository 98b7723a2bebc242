"""Records of named quantities: frozen dataclasses that are JAX pytrees and know symbol, unit and meaning.

State, control, weather and parameter records of every model are built from these. Documentation tables,
plot labels, name look-ups and range checks read the same metadata, so that nothing is described twice.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, TypeVar, dataclass_transform

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.core.errors import ShapeError, UnknownNameError, ValueRangeError

Record = TypeVar("Record")

# A number, or an array with one number for each environment of a batch. Sums and products mix the two freely, which a
# union of their types cannot express.
Value: TypeAlias = Any


@dataclasses.dataclass(frozen=True)
class Quantity:
    """The description of one field of a record: name, symbol, unit, meaning, bounds and default."""

    name: str
    symbol: str
    unit: str
    description: str
    low: float = -np.inf
    high: float = np.inf
    default: float | None = None
    nonzero: bool = False

    @property
    def range(self) -> str:
        """The allowed values, in words."""
        unit = "" if self.unit == "-" else f" {self.unit}"
        if self.nonzero:
            return f"a number other than zero{unit}"
        if np.isinf(self.high):
            return f"above 0{unit}" if 0.0 < self.low <= 1e-9 else f"at least {self.low:g}{unit}"
        return f"{self.low:g} to {self.high:g}{unit}"


def quantity(
    symbol: str,
    unit: str,
    description: str,
    *,
    default: float | None = None,
    low: float = -np.inf,
    high: float = np.inf,
    nonzero: bool = False,
) -> Any:
    """Return a field of a record.

    `symbol` is the one used in the publications, `low` and `high` (both included) bound the values that make physical
    sense, `nonzero` excludes zero.
    """
    about = {"symbol": symbol, "unit": unit, "description": description, "low": low, "high": high, "nonzero": nonzero}
    return dataclasses.field(default=dataclasses.MISSING if default is None else default, metadata=about)


def fraction(symbol: str, description: str, *, default: float | None = None) -> Any:
    """Return a field between 0 and 1."""
    return quantity(symbol, "-", description, default=default, low=0.0, high=1.0)


def positive(symbol: str, unit: str, description: str, *, default: float | None = None) -> Any:
    """Return a field above 0."""
    return quantity(symbol, unit, description, default=default, low=1e-12)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(quantity, fraction, positive))
def record(cls: type[Record]) -> type[Record]:
    """Turn a class of quantities, or of other pytrees, into a frozen, keyword-only dataclass registered as a pytree."""
    made = dataclasses.dataclass(frozen=True, kw_only=True)(cls)
    return jax.tree_util.register_dataclass(made)


def quantities(cls: type[Any] | Any) -> Iterator[Quantity]:
    """Return the quantities of a record, in the order of their definition."""
    for each in dataclasses.fields(cls):
        default = None if each.default is dataclasses.MISSING else each.default
        yield Quantity(name=each.name, default=default, **each.metadata)


def with_values(instance: Any) -> tuple[Quantity, ...]:
    """Return the quantities of a record, with its values as their defaults.

    A quantity whose value is itself a record, such as a table, has no default.
    """
    values = [(q, getattr(instance, q.name)) for q in quantities(instance)]
    return tuple(dataclasses.replace(q, default=None if dataclasses.is_dataclass(v) else v) for q, v in values)


def names(cls: type[Any] | Any) -> tuple[str, ...]:
    """Return the names of the quantities of a record."""
    return tuple(q.name for q in quantities(cls))


def symbols(cls: type[Any] | Any) -> tuple[str, ...]:
    """Return the published symbols of the quantities of a record."""
    return tuple(q.symbol for q in quantities(cls))


def find(cls: type[Any], name_or_symbol: str) -> Quantity:
    """Return the quantity with this name or published symbol."""
    known = {q.symbol: q for q in quantities(cls)} | {q.name: q for q in quantities(cls)}
    if name_or_symbol not in known:
        raise UnknownNameError(f"{cls.__name__} quantity", str(name_or_symbol), known)
    return known[name_or_symbol]


def check_value(q: Quantity, value: Any, owner: str) -> None:
    """Refuse a concrete value that is not finite or lies outside the quantity's range."""
    if isinstance(value, jax.core.Tracer):
        return
    try:
        array = np.asarray(value)
    except ValueError:  # a list of lists of different length
        array = np.asarray(None)
    if array.dtype.kind not in "fiub":
        raise ValueRangeError(f"{owner}.{q.name}", value, "a number or an array of numbers")
    if not np.all(np.isfinite(array)):
        raise ValueRangeError(f"{owner}.{q.name}", value, "finite numbers")
    if np.any(array < q.low) or np.any(array > q.high) or (q.nonzero and np.any(array == 0.0)):
        raise ValueRangeError(f"{owner}.{q.name}", value, q.range)


def replace(instance: Record, overrides: Mapping[str, Any]) -> Record:
    """Return a copy with some quantities changed, given by name or published symbol; every value is checked."""
    if not isinstance(overrides, Mapping):
        raise ValueRangeError(type(instance).__name__, overrides, "numbers by name or symbol, as {name: number}")
    changes = {}
    for key, value in overrides.items():
        q = find(type(instance), key)
        check_value(q, value, type(instance).__name__)
        changes[q.name] = np.asarray(value) if isinstance(value, list | tuple) else value
    return dataclasses.replace(instance, **changes)  # type: ignore[type-var]


def as_record(cls: type[Record], choice: Any) -> Record:
    """Return a record of one number each: the one given, or its defaults with changes by name or published symbol."""
    made = choice if isinstance(choice, cls) else replace(cls(), choice)
    for q in quantities(cls):
        value = getattr(made, q.name)
        check_value(q, value, cls.__name__)
        if np.ndim(value) > 0:
            raise ValueRangeError(f"{cls.__name__}.{q.name}", value, "one number")
    return made


def stack(instance: Any) -> jax.Array:
    """Return the record as one array, quantities along the last axis."""
    leaves = [jnp.asarray(getattr(instance, name)) for name in names(instance)]
    return jnp.stack(jnp.broadcast_arrays(*leaves), axis=-1)


def unstack(cls: type[Record], array: Any) -> Record:
    """Return the record of an array; the inverse of `stack`."""
    expected = names(cls)
    array = np.asarray(array) if isinstance(array, list | tuple) else array
    if array.shape[-1:] != (len(expected),):
        raise ShapeError(cls.__name__, f"(..., {len(expected)})", array.shape, ", ".join(symbols(cls)))
    return cls(**{name: array[..., i] for i, name in enumerate(expected)})
