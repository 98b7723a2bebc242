"""`phytotron crop calibrate`: fits parameters of LINTUL-3 to observations of fields."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from phytotron.cli.console import line, print_json, progress_bars
from phytotron.cli.fitted import findings, show_fitted
from phytotron.cli.options import Json, Seed, WeatherFolder
from phytotron.core.errors import ValueRangeError
from phytotron.core.files import check_writable
from phytotron.core.version import __version__


def calibrate(
    observations: Annotated[Path, typer.Argument(help="CSV file with the columns date, quantity, value, error.")],
    weather: Annotated[str, typer.Option(help="A series of weather, SPLIT:PART, or a weather file.")],
    target: Annotated[Path, typer.Option("--output", help="Parameter file to write (.toml).")],
    management: Annotated[
        Path | None,
        typer.Option(
            help="CSV file of what was applied: date, nitrogen (g m-2), irrigation (mm); by default nothing was."
        ),
    ] = None,
    parameters: Annotated[str | None, typer.Option(help="Parameter set of wheat to begin with.")] = None,
    fit: Annotated[
        list[str] | None, typer.Option(help="Parameter to fit; repeatable; by default all that can be fitted.")
    ] = None,
    starts: Annotated[int, typer.Option(help="Number of starting points.", min=1, max=64)] = 3,
    iterations: Annotated[
        int, typer.Option(help="Largest number of steps from the best starting point.", min=1, max=1000)
    ] = 25,
    weather_folder: WeatherFolder = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Fit the wheat of LINTUL-3 to observations of fields, and print how well they determine each parameter.

    The quantities are states of the model, in its units, on the morning of a date; see docs/twin.md.
    """
    from phytotron.calibration.field import calibrate_field
    from phytotron.calibration.field_table import read_seasons
    from phytotron.core.compilation import enable_compilation_cache
    from phytotron.core.parameter_files import write_parameter_file
    from phytotron.models.lintul3 import DEFAULT_SET, load_parameters
    from phytotron.weather.field_weather import named_field_weather

    if target.suffix != ".toml":
        raise ValueRangeError("--output", str(target), "a name that ends in .toml")
    check_writable(target)
    enable_compilation_cache()
    base = parameters or DEFAULT_SET
    begun = load_parameters(base)
    seasons = read_seasons(observations, management, named_field_weather(weather, weather_folder))
    with progress_bars() as begin:
        step = begin(f"fit to {observations.name}")
        made = calibrate_field(begun, seasons, fit, starts, seed, iterations=iterations, callback=step)
    values = {each.name: float(getattr(made.parameters, each.name)) for each in made.found.choice}
    intervals = {name: list(ends) for name, ends in made.found.intervals.items()}
    about = {"observations": observations.name, "weather": weather, "phytotron": __version__,
             "loss": made.searches[0].loss}  # fmt: skip
    write_parameter_file(target, base, {"about": about, "parameters": values, "intervals": intervals})
    if json:
        result = {"values": values, "intervals": intervals, "loss": about["loss"], **findings(made.found)}
        print_json({"path": str(target), **result})
        return
    show_fitted(made.found, {name: float(getattr(begun, name)) for name in values}, values)
    line(f"wrote {target}")
