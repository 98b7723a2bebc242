"""`phytotron check`: checks that an environment keeps the contract."""

from typing import Annotated

import typer
from rich.markup import escape

from phytotron.cli import options as shared
from phytotron.cli.console import errors, output, print_json


def check(
    id: shared.Id,
    parameters: shared.Parameters = None,
    option: shared.Option = None,
    skip: Annotated[
        list[str] | None, typer.Option(help="Name of a check to leave out, such as eager; repeatable.")
    ] = None,
    json: shared.Json = False,
) -> None:
    """Check an environment against the contract; exit code 1 where something is wrong."""
    from phytotron.core import registry
    from phytotron.testing import CHECKS, find_faults

    env = registry.make(id, **shared.environment_options(id, option, parameters=parameters))
    with errors.status("checking") as status:
        found = find_faults(env, skip or (), lambda name: status.update(f"checking {name}"))
    if json:
        print_json({"id": id, "passed": not any(found.values()), "checks": found})
    else:
        for name, faults in found.items():
            mark = "[red]wrong[/red] " if faults else "[green]passed[/green]"
            about = (CHECKS[name].__doc__ or "").strip()
            output.print(f"{mark} {name:<13}{escape(about)}", soft_wrap=True, highlight=False)
            for fault in faults:
                output.print(f"       - {escape(fault)}", soft_wrap=True, highlight=False)
    if any(found.values()):
        raise typer.Exit(1)
