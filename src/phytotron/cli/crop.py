"""`phytotron crop`: lists and describes crops, and imports or fits them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from phytotron.cli import crop_calibrate
from phytotron.cli.console import line, output, print_json
from phytotron.cli.options import Json

if TYPE_CHECKING:
    from phytotron.core.fields import Quantity
    from phytotron.crop_files import Import
    from phytotron.models.crops import CropFile, Entry

crop_app = typer.Typer(name="crop", help="Crops: list, describe, import, calibrate.", no_args_is_help=True)
crop_app.command("calibrate")(crop_calibrate.calibrate)


@crop_app.command("list")
def list_crops(json: Json = False) -> None:
    """Show the crops that come with the package."""
    from phytotron.models.crops import CROPS, describe_crop

    found = {name: describe_crop(name).description for name in CROPS}
    if json:
        print_json({"crops": found})
        return
    table = Table.grid("", "", padding=(0, 2))
    for name, description in found.items():
        table.add_row(name, escape(description))
    output.print(table, highlight=False)


@crop_app.command()
def describe(
    name: Annotated[str, typer.Argument(help="A crop of the package, or the path of a crop file (.toml).")],
    revised: Annotated[
        bool, typer.Option("--revised", help="Show the revised values of the file, where it has any.")
    ] = False,
    json: Json = False,
) -> None:
    """Show every parameter of a crop with its value, its unit and its source."""
    from phytotron.models.crops import describe_crop
    from phytotron.models.crops.crop_file import crop_quantities

    found = describe_crop(name)
    file = found.revised if revised else found
    if json:
        print_json(_as_json(file))
        return
    line(f"{file.name}: {file.description}")
    for group, entries in (("plant", file.plant), ("height", file.height)):
        quantities = [q for q in crop_quantities(group) if q.name in entries]
        output.print(_parameters(f"{group} ({len(quantities)})", quantities, entries))
    line("sources")
    for key, text in file.sources.items():
        line(f"  {key}: {text}")


@crop_app.command("import")
def import_file(
    files: Annotated[
        list[Path], typer.Argument(help="Parameter files: CABO, PCSE, WOFOST YAML or INI; a later one wins.")
    ],
    name: Annotated[str, typer.Option(help="Name of the crop.")],
    target: Annotated[Path, typer.Option("--output", help="Crop file to write (.toml).")],
    base: Annotated[str | None, typer.Option(help="Crop from which parameters that the files lack are taken.")] = None,
    variety: Annotated[str | None, typer.Option(help="Variety, where a YAML file has several.")] = None,
    shares_of_shoot: Annotated[
        bool,
        typer.Option(
            "--shares-of-shoot", help="Read the shares of leaves, stems and grain as shares of the above-ground part."
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Make a crop from files of other programs, and print the origin of every value."""
    from phytotron.core.errors import ValueRangeError
    from phytotron.crop_files import import_crop
    from phytotron.models.crops import write_crop_file

    if target.suffix != ".toml":
        raise ValueRangeError("--output", str(target), "a name that ends in .toml")
    made = import_crop(files, name, base=base, shares_of_shoot=shares_of_shoot, variety=variety)
    write_crop_file(made.file, target)
    if json:
        print_json({"path": str(target), **_import_as_json(made), "crop": _as_json(made.file)})
        return
    _show(made, base)
    line(f"wrote {target}")


def _show(made: Import, base: str | None) -> None:
    for path, count in made.taken.items():
        line(f"{path}: {count} parameters")
    line(f"{base}: {len(made.from_base)} parameters that no file gives")
    output.print("  " + ", ".join(made.from_base), highlight=False, markup=False)
    for warning in made.warnings:
        line(f"warning: {warning}")
    if made.conflicts:
        table = _table("conflicts", "parameter", "value", "from", "")
        for conflict in made.conflicts:
            for index, (where, value) in enumerate(conflict.claims):
                first = conflict.parameter if index == 0 else ""
                won = "kept" if where == conflict.winner else ""
                table.add_row(*map(escape, (first, _shown(value), where, won)))
        output.print(table)
    if made.unused:
        table = _table("not used", "key", "why", "where")
        for each in made.unused:
            table.add_row(*map(escape, (each.key, each.reason, each.where)))
        output.print(table)


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=0)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _parameters(title: str, quantities: list[Quantity], entries: Any) -> Table:
    table = _table(title, "symbol")
    for heading in ("value", "unit", "meaning", "source"):
        table.add_column(heading, ratio=None if heading == "unit" else 3, no_wrap=heading == "unit")
    for q in quantities:
        entry: Entry = entries[q.name]
        source = f"{entry.source}: {entry.note}" if entry.note else entry.source
        table.add_row(*map(escape, (q.symbol, _shown(entry.value), q.unit, q.description, source)))
    return table


def _shown(value: Any) -> str:
    """Return a number, or the points of a table as x:y, as text."""
    if isinstance(value, list):
        rows = value if value and isinstance(value[0], list) else list(zip(value[::2], value[1::2], strict=False))
        return " ".join(f"{x:g}:{y:.4g}" for x, y in rows)
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _as_json(file: CropFile) -> dict[str, Any]:
    from phytotron.models.crops.crop_file import crop_quantities

    def entry(q: Quantity, found: Entry) -> dict[str, Any]:
        row = {"symbol": q.symbol, "value": found.value, "unit": q.unit, "description": q.description}
        return row | {"source": found.source, "note": found.note}

    groups = {
        group: {q.name: entry(q, getattr(file, group)[q.name]) for q in crop_quantities(group)}
        for group in ("plant", "height")
    }
    return {"name": file.name, "description": file.description, "sources": dict(file.sources), **groups}


def _import_as_json(made: Import) -> dict[str, Any]:
    conflicts = []
    for each in made.conflicts:
        claims = [{"where": where, "value": value} for where, value in each.claims]
        conflicts.append({"parameter": each.parameter, "claims": claims, "kept": each.winner})
    return {
        "taken": made.taken,
        "from_base": list(made.from_base),
        "warnings": list(made.warnings),
        "conflicts": conflicts,
        "unused": [vars(each) for each in made.unused],
    }
