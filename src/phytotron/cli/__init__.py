"""The command line: thin commands that parse, call and print."""

import os
import sys
import warnings
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.markup import escape

from phytotron.cli import (
    calibrate,
    check,
    crop,
    demo,
    describe,
    evaluate,
    interruption,
    log,
    oracle,
    play,
    replay,
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
from phytotron.cli.console import errors, line
from phytotron.core.errors import PhytotronError
from phytotron.core.version import __version__

app = typer.Typer(
    name="phytotron",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        line(f"phytotron {__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Control of crop production: models, environments, benchmarks."""


app.command("envs")(describe.envs)
app.command("describe")(describe.describe)
app.command("check")(check.check)
app.command("run")(run.run)
app.command("train")(train.train)
app.command("sweep")(sweep.sweep)
app.command("evaluate")(evaluate.evaluate)
app.command("oracle")(oracle.oracle)
app.command("play")(play.play)
app.command("tune")(tune.tune)
app.command("report")(report.report)
app.command("verify")(verify.verify)
app.command("reproduce")(reproduce.reproduce)
app.command("calibrate")(calibrate.calibrate)
app.command("replay")(replay.replay)
app.command("speed")(speed.speed)
app.command("demo")(demo.demo)
app.add_typer(weather.weather_app)
app.add_typer(crop.crop_app)
app.add_typer(log.log_app)


def main() -> None:
    """Run a command; what a user got wrong, or the system refuses, becomes one line and exit code 2.

    Names such as module:Class are also looked for in the working directory.
    """
    sys.path.append(str(Path.cwd()))
    warnings.formatwarning = lambda message, *_, **__: f"warning: {message}\n"
    try:
        with interruption.handled():
            app(prog_name="phytotron")
    except PhytotronError as error:
        _refuse(str(error))
    except SystemExit as ended:
        if ended.code == interruption.INTERRUPTED and interruption.received:  # of typer, after the exception
            interruption.leave()
        try:
            sys.stdout.flush()
        except OSError as error:
            _refuse_output(error)
        raise
    except OSError as error:
        if error.filename is not None:
            _refuse(f"{error.filename}: {error.strerror}; choose another file, or mend this one")
        _refuse_output(error)
    except (MemoryError, RuntimeError) as error:
        from phytotron.core.memory import is_exhausted  # late: it imports jax

        if not is_exhausted(error):
            raise
        _refuse("there is not enough memory; take fewer environments, episodes or seeds at once")


def _refuse(text: str) -> NoReturn:
    errors.print(f"[red]error:[/red] {escape(text)}", soft_wrap=True, highlight=False)
    sys.exit(2)


def _refuse_output(error: OSError) -> NoReturn:
    """Say that what was printed did not arrive, and leave nothing that Python would try to print at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    _refuse(f"standard output cannot be written ({error.strerror}); free some space, or print elsewhere")
