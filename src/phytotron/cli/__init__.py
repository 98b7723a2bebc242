"""The command line: thin commands that parse, call and print."""

import sys
from pathlib import Path

import typer
from rich.markup import escape

from phytotron.cli import (
    check,
    crop,
    demo,
    describe,
    evaluate,
    oracle,
    report,
    reproduce,
    run,
    speed,
    sweep,
    train,
    tune,
    verify,
    weather,
)
from phytotron.cli.console import errors
from phytotron.core.errors import PhytotronError

app = typer.Typer(
    name="phytotron",
    help="Control of crop production: models, environments, benchmarks.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command("envs")(describe.envs)
app.command("describe")(describe.describe)
app.command("check")(check.check)
app.command("run")(run.run)
app.command("train")(train.train)
app.command("sweep")(sweep.sweep)
app.command("evaluate")(evaluate.evaluate)
app.command("oracle")(oracle.oracle)
app.command("tune")(tune.tune)
app.command("report")(report.report)
app.command("verify")(verify.verify)
app.command("reproduce")(reproduce.reproduce)
app.command("speed")(speed.speed)
app.command("demo")(demo.demo)
app.add_typer(weather.weather_app)
app.add_typer(crop.crop_app)


def main() -> None:
    """Run a command; what a user got wrong becomes one line and exit code 2.

    Names such as module:Class are also looked for in the working directory.
    """
    sys.path.append(str(Path.cwd()))
    try:
        app()
    except PhytotronError as error:
        errors.print(f"[red]error:[/red] {escape(str(error))}", soft_wrap=True, highlight=False)
        sys.exit(2)
