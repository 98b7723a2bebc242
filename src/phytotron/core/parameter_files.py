"""Files of parameters: what a user or a calibration changes in a model and in an environment (TOML).

base = "katzin2021_4ha_led"   # the parameter set to begin with, of environments that have several
[parameters]                  # numbers of the model, by name or published symbol
floor_area = 20000
[rules]                       # any option of the environment, by its name
temperature_day = 21
[about]                       # where the numbers come from; environments leave out this and the other `NOTES`

In an older form the set is called `parameters`, and the numbers of the model stand in no table; it is read as well.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from phytotron.core.errors import DataFileError
from phytotron.core.files import write_text
from phytotron.core.toml_files import read_toml

FILE_NAME = "greenhouse.toml"  # the file of a calibration, which its folder stands for
BASE, PARAMETERS = "base", "parameters"
OVERRIDES = "parameter_overrides"  # the option of an environment that takes numbers of its model by name
# Of a calibration: its sources, what is of its log, and how sure it is of parameters and of the climate.
NOTES = ("about", "installation", "intervals", "residuals")


def parameter_file(choice: Any) -> Path | None:
    """Return the path of the parameter file that the option `parameters` of an environment names.

    It is None where the option names a parameter set or is an object.
    """
    if not isinstance(choice, str | Path):
        return None
    path = Path(choice)
    is_file = isinstance(choice, Path) or path.suffix == ".toml" or (path / FILE_NAME).is_file()
    return path if is_file else None


def read_parameter_file(path: Path) -> dict[str, Any]:
    """Return the content of a file in the newer form: `base` where it has one, and always a table `parameters`."""
    path = path / FILE_NAME if path.is_dir() else path
    raw = read_toml(path, "a file of parameters", 'write base = "NAME OF A SET", [parameters], and floor_area = 20000')
    if isinstance(raw.get(PARAMETERS), str):
        if BASE in raw:
            raise DataFileError(path, f"`{BASE}` and `{PARAMETERS}` both name a parameter set", "leave out one of them")
        raw[BASE] = raw.pop(PARAMETERS)
    if not isinstance(raw.get(BASE, ""), str):
        raise DataFileError(path, f"`{BASE}` is {raw[BASE]!r}", "write the name of a parameter set, in quotes")
    if not isinstance(raw.setdefault(PARAMETERS, {}), dict):
        raise DataFileError(path, f"`{PARAMETERS}` is no table", "write [parameters], and below it floor_area = 20000")
    return raw


def write_parameter_file(path: Path, base: str, tables: Mapping[str, Mapping[str, Any]]) -> Path:
    """Write a parameter file: the base set, and tables of numbers, texts or lists of them, with exact floats."""
    lines = [f"{BASE} = {json.dumps(base)}"]
    for name, values in tables.items():
        # JSON of numbers, texts and lists is TOML as well.
        shown = (f"{key} = {json.dumps(value, ensure_ascii=False, allow_nan=False)}" for key, value in values.items())
        lines += ["", f"[{name}]", *shown]
    write_text(path, "\n".join(lines) + "\n")
    return path


def options_from_file(path: Path, known: Sequence[str], id: str) -> dict[str, Any]:
    """Return the options of an environment that a file sets; `known` are the names of all options that it takes."""
    raw = read_parameter_file(path)
    base, numbers = raw.pop(BASE, None), raw.pop(PARAMETERS)
    options = {name: value for name, value in raw.items() if name in known}
    others = {name: value for name, value in raw.items() if name not in known and name not in NOTES}
    remedy = f"known: {', '.join(known)}"
    for name, value in others.items():
        if isinstance(value, dict) or OVERRIDES not in known:
            raise DataFileError(path, f"{name} is no option of {id}", remedy)
    if numbers and OVERRIDES not in known:
        raise DataFileError(path, f"[{PARAMETERS}]: the model of {id} takes no numbers by name", remedy)
    if base is not None and PARAMETERS not in known:
        raise DataFileError(path, f"{BASE} = {base!r}: {id} has no parameter sets", "leave it out")
    named = {} if base is None else {PARAMETERS: base}
    return merged(options, named, {OVERRIDES: {**others, **numbers}} if others or numbers else {})


def merged(*parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return several sets of options as one; later ones win, and options that are tables are merged entry by entry."""
    found: dict[str, Any] = {}
    for part in parts:
        for name, value in part.items():
            before = found.get(name)
            both = isinstance(value, Mapping) and isinstance(before, Mapping)
            found[name] = {**before, **value} if both else value  # type: ignore[dict-item]
    return found
