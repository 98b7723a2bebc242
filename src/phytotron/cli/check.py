"""`phytotron check`: checks that an environment keeps the contract."""

from typing import Annotated

import typer
from rich.markup import escape

from phytotron.cli import options as shared
from phytotron.cli.console import errors, output, print_json

PASSED = ("passed", "green")  # text of the mark, and its style


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

    env = registry.make_to_check(id, **shared.environment_options(id, option, parameters=parameters))
    with errors.status("checking") as status:
        found = find_faults(env, skip or (), lambda name: status.update(f"checking {name}"))
    passed = not any(found.values())
    if json:
        checks = {name: faults for name, faults in found.items() if faults is not None}
        not_reached = [name for name, faults in found.items() if faults is None]
        print_json({"id": id, "passed": passed, "checks": checks, "not_reached": not_reached})
    else:
        width = max(map(len, found), default=0)
        for name, faults in found.items():
            mark, style = ("not reached", "yellow") if faults is None else ("wrong", "red") if faults else PASSED
            about = (CHECKS[name].__doc__ or "").strip()
            line = f"[{style}]{mark:<11}[/{style}]  {name:<{width}}  {escape(about)}"
            output.print(line, soft_wrap=True, highlight=False)
            for fault in faults or ():
                output.print(f"{'':<11}  - {escape(fault)}", soft_wrap=True, highlight=False)
    if not passed:
        raise typer.Exit(1)
