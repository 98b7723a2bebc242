"""`phytotron envs` and `phytotron describe`: list environments, and describe every quantity with symbol, unit and
meaning.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from phytotron.cli.console import line, output, print_json
from phytotron.cli.options import Json, Option, environment_options
from phytotron.core import registry
from phytotron.core.errors import PhytotronError, UnknownNameError

if TYPE_CHECKING:
    from phytotron.core.fields import Quantity

MODELS = ("greenlight", "lintul3")


def envs(json: Json = False) -> None:
    """List the environments."""
    if json:
        print_json({"environments": registry.registered(), "models": list(MODELS)})
        return
    for id in registry.registered():
        line(f"{id:<35}{_about(id)}".rstrip())


def describe(
    id: Annotated[str, typer.Argument(help="Id of an environment, module:Class, or a model: `greenlight`, `lintul3`.")],
    option: Option = None,
    json: Json = False,
) -> None:
    """Show the observations, actions, reward and parameters of an environment, or the records of a model."""
    known = [*registry.registered(), *MODELS]
    if id not in known and ":" not in id:
        raise UnknownNameError("environment or model", id, known)
    if id in MODELS and option:
        raise PhytotronError(f"{id} is a model, which has no options; leave out --option")
    text, options, groups = _model(id) if id in MODELS else _environment(id, option)
    if json:
        fields = {name: [_as_json(q) for q in group] for name, group in groups.items()}
        print_json({"id": id, "description": text, "options": options, "fields": fields})
        return
    line(text)
    if options:
        output.print(_option_table(options))
    for name, group in groups.items():
        output.print(_quantity_table(f"{name} ({len(group)})", group))


def _about(id: str) -> str:
    """The first line of the documentation of an environment, or why it cannot be imported."""
    try:
        return (inspect.getdoc(registry.ENVIRONMENTS[id]) or "").partition("\n")[0]
    except PhytotronError as error:
        return " ".join(str(error).split())


def _environment(id: str, pairs: Sequence[str] | None) -> tuple[str, dict[str, Any], Mapping[str, Sequence[Quantity]]]:
    given = environment_options(id, pairs)
    environment = registry.make_environment(id, given)
    options = registry.options_made_with(id, environment, given)
    text = inspect.getdoc(registry.ENVIRONMENTS[id]) or inspect.getdoc(type(environment)) or ""
    return text, options, environment.fields


def _model(name: str) -> tuple[str, dict[str, Any], Mapping[str, Sequence[Quantity]]]:
    from phytotron.core.fields import quantities
    from phytotron.models import greenlight, lintul3

    module: ModuleType = greenlight
    records: tuple[type[Any], ...] = (greenlight.State, greenlight.Control, greenlight.Weather, greenlight.Parameters)
    if name == "lintul3":
        module, records = lintul3, (lintul3.State, lintul3.Management, lintul3.Weather, lintul3.Parameters)
    return inspect.getdoc(module) or name, {}, {each.__name__: tuple(quantities(each)) for each in records}


def _as_json(q: Quantity) -> dict[str, Any]:
    return {
        "name": q.name,
        "symbol": q.symbol,
        "unit": q.unit,
        "description": q.description,
        "low": q.low if math.isfinite(q.low) else None,
        "high": q.high if math.isfinite(q.high) else None,
        "value": None if q.default is None else float(q.default),
    }


def _option_table(options: Mapping[str, Any]) -> Table:
    table = Table(title="options of make", title_justify="left", box=SIMPLE_HEAD)
    for heading in ("option", "value"):
        table.add_column(heading, overflow="fold")
    for name, value in options.items():
        table.add_row(name, escape(str(value)))
    return table


def _quantity_table(title: str, group: Sequence[Quantity]) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=0)
    for heading in ("name", "symbol", "unit", "range"):
        table.add_column(heading, overflow="fold")  # a name is never cut
    valued = any(q.default is not None for q in group)
    if valued:
        table.add_column("value", justify="right", overflow="fold")
    table.add_column("description", overflow="fold")
    for q in group:
        bounds = "" if math.isinf(q.low) and math.isinf(q.high) else f"[{q.low:g}, {q.high:g}]"
        value = [] if not valued else ["" if q.default is None else f"{float(q.default):.6g}"]
        table.add_row(*map(escape, (q.name, q.symbol, q.unit, bounds, *value, q.description)))
    return table
