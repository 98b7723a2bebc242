"""Every command of the program, and the options that it has."""

from __future__ import annotations

from typing import Any

import typer

from phytotron import cli


def _commands(group: Any, before: str = "") -> list[str]:
    """The words of every command, in the order of the help."""
    found = []
    for name, each in group.commands.items():
        words = f"{before}{name}"
        found += _commands(each, f"{words} ") if hasattr(each, "commands") else [words]
    return found


PROGRAM: Any = typer.main.get_command(cli.app)
COMMANDS = _commands(PROGRAM)


def options(command: str) -> set[str]:
    """The options that a command has."""
    found = PROGRAM
    for word in command.split():
        found = found.commands[word]
    return {option for each in found.params for option in each.opts}
