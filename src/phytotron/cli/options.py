"""Options that several commands share."""

import importlib
import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from phytotron.cli.task_options import from_json
from phytotron.core import registry
from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.seeds import LARGEST_SEED, is_seed

MOST_SEEDS = 10_000  # of one run

Id = Annotated[str, typer.Argument(help="Id of an environment, such as phytotron/Greenhouse-v0, or module:Class.")]
Preset = Annotated[str, typer.Option(help="Preset of the settings of the agent; see docs/training.md.")]
Seeds = Annotated[str, typer.Option(help="Number of seeds, counted from 0; or which ones, such as 3,7.")]
Steps = Annotated[
    int | None,
    typer.Option(help="Number of environment steps of training per seed; by default that of the preset.", min=1),
]
Changes = Annotated[list[str] | None, typer.Option("--set", help="Setting of the agent as NAME=VALUE; repeatable.")]
Option = Annotated[list[str] | None, typer.Option(help="Environment option as NAME=VALUE in JSON; repeatable.")]
Parameters = Annotated[
    str | None,
    typer.Option(
        help="Parameters of the environment: a TOML file, the folder of a calibration, or the name of a parameter set."
    ),
]
Split = Annotated[str | None, typer.Option(help="Part of the split of weather: train, validation or test.")]
Weather = Annotated[
    str | None, typer.Option(help="Weather: SPLIT:PART, a series, generated:PRESET, or a weather file.")
]
WeatherFolder = Annotated[
    Path | None,
    typer.Option(help="Folder of weather files; by default $PHYTOTRON_WEATHER, or weather in the cache folder."),
]
EvalWeather = Annotated[
    str | None, typer.Option(help="Weather of evaluations; by default the validation part, or else that of training.")
]
EvalEvery = Annotated[int | None, typer.Option(help="Number of environment steps between evaluations.", min=1)]
RayAddress = Annotated[str | None, typer.Option(help="Address of a Ray cluster; by default a small one is started.")]
Seed = Annotated[int, typer.Option(help="Seed of all that is drawn at random.", min=0, max=LARGEST_SEED)]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")]


def named_values(pairs: Sequence[str], option: str) -> dict[str, str]:
    """Parse NAME=VALUE, given any number of times."""
    found = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not (name and separator):
            raise ValueRangeError(option, pair, "NAME=VALUE")
        found[name.strip()] = value
    return found


def environment_options(
    id: str,
    pairs: Sequence[str] | None,
    weather: str | None = None,
    weather_folder: Path | None = None,
    parameters: str | None = None,
) -> dict[str, Any]:
    """Return the options of an environment from NAME=VALUE pairs, and from options with names of their own.

    Values are JSON; what is not JSON is text. A parameter file is replaced by the options in it, so that what is stored
    does not depend on the file.
    """
    found = {name: from_json(name, text) for name, text in named_values(pairs or (), "--option").items()}
    found |= {} if weather is None else {"weather": weather}
    if isinstance(found.get("weather"), str):
        found["weather"] = weather_choice(found["weather"])
    found |= {} if weather_folder is None else {"weather_folder": str(weather_folder.resolve())}
    return registry.with_parameter_file(id, found | ({} if parameters is None else {"parameters": parameters}))


def weather_choice(text: str) -> str:
    """Return the name of weather as it is, and the path of a file as an absolute path, valid in every folder."""
    return str(Path(text).resolve()) if Path(text).is_file() else text


def option_words(options: Mapping[str, Any]) -> list[str]:
    """Return the words of a command that set these options of an environment, quoted for a shell."""
    words = []
    for name, value in options.items():
        if name == "weather_folder":
            words += ["--weather-folder", shlex.quote(str(value))]
        else:
            text = value if isinstance(value, str) else json.dumps(value)
            words += ["--option", shlex.quote(f"{name}={text}")]
    return words


def seed_numbers(text: str) -> tuple[int, ...]:
    """Return seeds from text: a number of seeds, counted from 0, or a list of them with commas."""
    try:
        numbers = tuple(int(each) for each in text.split(",") if each.strip())
    except ValueError:
        numbers = ()
    counted = "," not in text
    if not numbers or (counted and not 1 <= numbers[0] <= MOST_SEEDS):
        wanted = f"a number of seeds to {MOST_SEEDS}, as 5, or a list of them, as 3,7 (one alone: 3,)"
        raise ValueRangeError("--seeds", text, wanted)
    if not all(map(is_seed, numbers)):
        raise ValueRangeError("--seeds", text, f"whole numbers from 0 to {LARGEST_SEED}")
    return tuple(range(numbers[0])) if counted else numbers


def check_agents_extra() -> None:
    """Raise an error that says what to install where the packages for agents are missing."""
    check_installed("agents need {}: pip install 'phytotron[agents]'", "equinox", "optax", "safetensors")


def check_installed(remedy: str, *modules: str) -> None:
    """Raise an error where one of some modules is missing; the remedy has a place for the name of its package."""
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise PhytotronError(remedy.format((error.name or module).partition(".")[0])) from None
