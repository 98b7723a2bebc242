"""Options that several commands share."""

import contextlib
import importlib
import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from phytotron.cli.task_options import from_json
from phytotron.core import registry
from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.core.making import put_on
from phytotron.core.seeds import LARGEST_SEED, is_seed
from phytotron.weather.splits import PARTS

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


def environment_on(id: str, options: Mapping[str, Any], split: str | None, weather: str | None) -> Any:
    """Return an environment with options, on a part of its split or on other weather, where one of these is given."""
    if split is not None and weather is not None:
        raise PhytotronError("--split and --weather both name weather; give one of them")
    if weather is None:
        env = registry.make_environment(id, options)
        if split is not None and env.parts and split not in env.parts:
            raise UnknownNameError(f"part of the weather of {id}", split, env.parts)
        return env if split is None else put_on(env, split)
    return put_on(_on_any_weather(id, options), weather_choice(weather))


def environment_in(id: str, options: Mapping[str, Any], weather: str | None) -> Any:
    """Return an environment with options, on weather that its option `weather` takes, or on a part of its own."""
    if weather is None:
        return registry.make_environment(id, options)
    if "weather" not in registry.option_names(id):
        return put_on(registry.make_environment(id, options), weather)
    name = _named_part(id, options, weather) or weather_choice(weather)
    return registry.make_environment(id, {**options, "weather": name})


def _named_part(id: str, options: Mapping[str, Any], part: str) -> str | None:
    """Return the name of the weather of a part of a task; None where the task has no such part."""
    if part not in PARTS:
        return None
    for given in (options, {}):  # options may suit the part alone, such as its years
        with contextlib.suppress(PhytotronError):
            name: str | None = put_on(_on_any_weather(id, given), part).weather_name
            return name
    return None


def _on_any_weather(id: str, options: Mapping[str, Any]) -> Any:
    """Return an environment with options, on its default weather where the weather that they name is not at hand."""
    from phytotron.weather.archive import MissingWeatherError

    try:
        return registry.make_environment(id, options)
    except (MissingWeatherError, UnknownNameError):  # a series of which no file is there has no name
        others = {name: value for name, value in options.items() if name not in weather_options(id)}
        return registry.make_environment(id, others)


def weather_options(id: str) -> set[str]:
    """Return the options of an environment that hold for one weather: its name, and what chooses among its days."""
    return {"weather", *getattr(registry.ENVIRONMENTS[id], "narrowing", ())}


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
