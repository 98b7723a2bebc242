"""Crop files: TOML, one line per parameter with its value, unit and source.

    name = "faba_bean"
    description = "Faba bean, spring-sown"

    [sources]
    lintul5 = "LINTUL-5 set of faba bean, ..."
    stics = "plant files of ..."

    [plant]
    vegetative_temperature_sum = { value = 833.0, unit = "°C d", source = "lintul5" }

    [height]
    maximum = { value = 1.5, unit = "m", source = "stics" }

`unit` is that of the model, so that a value in another one is refused and not believed. `source` is a key of
`[sources]`, and `note` may say more. Tables are rows [x, y]. What the soil, the site and the farmer decide has no place
here. With `default_source`, parameters that are not listed are those of the model and come from there; without it, all
have to be.

`[revision.plant]` and `[revision.height]` may hold later values of some parameters beside the first ones, so that tasks
of the first version grow what they grew; `load_crop(name, revised=True)` takes them.
"""

import dataclasses
import functools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from phytotron.core.errors import DataFileError, PhytotronError, UnknownNameError
from phytotron.core.fields import Quantity, quantities, replace
from phytotron.core.files import write_text
from phytotron.core.toml_files import read_toml
from phytotron.models.crops.crop import FIELD_PARAMETERS, Crop, Height
from phytotron.models.lintul3 import Parameters, Table, override

GROUPS: Mapping[str, type[Any]] = {"plant": Parameters, "height": Height}
KEYS = ("name", "description", "default_source", "sources", *GROUPS, "revision")
ENTRY_KEYS = ("value", "unit", "source", "note")
FOLDER = Path(__file__).parent / "data"
NAMES = ("winter_wheat", "spring_wheat", "faba_bean", "chickpea", "soybean", "cowpea")
CROPS: MappingProxyType[str, Path] = MappingProxyType({name: FOLDER / f"{name}.toml" for name in NAMES})


@dataclass(frozen=True)
class Entry:
    """One parameter: a number or rows [x, y], the key of its source, and what else there is to say."""

    value: Any
    source: str
    note: str = ""


@dataclass(frozen=True)
class CropFile:
    """The content of a crop file."""

    name: str
    description: str
    sources: Mapping[str, str]
    plant: Mapping[str, Entry]
    height: Mapping[str, Entry] = field(default_factory=dict)
    revision: Mapping[str, Mapping[str, Entry]] = field(default_factory=dict)  # later values, by group

    @property
    def revised(self) -> "CropFile":
        """The file with the later values in place of the first ones, and no others."""
        groups: dict[str, Any] = {g: {**getattr(self, g), **self.revision.get(g, {})} for g in GROUPS}
        return dataclasses.replace(self, revision={}, **groups)

    def crop(self) -> Crop:
        """Return the crop on the model's default field; what cannot be is refused."""
        plant = override(Parameters(), {name: each.value for name, each in self.plant.items()})
        return Crop(plant=plant, height=replace(Height(), {name: each.value for name, each in self.height.items()}))


def crop_quantities(group: str) -> tuple[Quantity, ...]:
    """Return the parameters that a crop file has to hold, in their order."""
    return tuple(q for q in quantities(GROUPS[group]) if q.name not in FIELD_PARAMETERS)


def read_crop_file(path: Path) -> CropFile:
    """Read and check a file; every error names the file, the parameter and the remedy."""
    remedy = "give a crop file, or bring files of other programs in with `phytotron crop import`"
    raw = read_toml(path, "a crop file", remedy)
    unknown = [key for key in raw if key not in KEYS]
    if unknown:
        raise DataFileError(path, f"has the unknown key {unknown[0]!r}", f"known: {', '.join(KEYS)}")
    sources = raw.get("sources")
    if not isinstance(raw.get("name"), str) or not isinstance(sources, dict) or not sources:
        raise DataFileError(path, "has no `name` or no `[sources]`", "add them")
    texts = {key: raw[key] for key in ("description", "default_source") if key in raw}
    for key, text in (texts | {f"sources.{key}": text for key, text in sources.items()}).items():
        if not isinstance(text, str):
            raise DataFileError(path, f"{key} is {text!r}", "expected text")
    for group in GROUPS:
        if not isinstance(raw.get(group, {}), dict):
            raise DataFileError(path, f"{group} is {raw[group]!r}", f"expected a table [{group}]")
    groups = {group: _entries(path, group, raw, sources) for group in GROUPS}
    later = raw.get("revision", {})
    if not isinstance(later, dict) or not all(isinstance(later.get(group, {}), dict) for group in GROUPS):
        raise DataFileError(path, f"revision is {later!r}", "expected tables [revision.plant], [revision.height]")
    if set(later) - set(GROUPS):
        unknown = sorted(set(later) - set(GROUPS))
        raise DataFileError(path, f"revision has the unknown key {unknown[0]!r}", f"known: {', '.join(GROUPS)}")
    revision = {group: _given(path, group, later, sources, "revision.") for group in GROUPS if group in later}
    made = CropFile(raw["name"], str(raw.get("description", "")), sources, groups["plant"], groups["height"], revision)
    try:
        made.crop()
        made.revised.crop()
    except PhytotronError as error:
        raise DataFileError(path, str(error), "correct the value") from None
    return made


def _given(
    path: Path, group: str, raw: Mapping[str, Any], sources: Mapping[str, str], within: str = ""
) -> dict[str, Entry]:
    """Return the parameters of a group that a file has."""
    given = raw.get(group, {})
    known = {q.name: q for q in crop_quantities(group)}
    for key, entry in given.items():
        where = f"{within}{group}.{key}"
        if group == "plant" and key in FIELD_PARAMETERS:
            raise DataFileError(path, f"{where} belongs to the field", "remove it and set it where the field is made")
        if key not in known:
            raise DataFileError(path, f"{where} is no parameter", f"known: {', '.join(known)}")
        if not isinstance(entry, dict) or not {"value", "unit", "source"} <= set(entry) <= set(ENTRY_KEYS):
            raise DataFileError(path, f"{where} is {entry!r}", "expected { value = ..., unit = ..., source = ... }")
        wrong = [each for each in ("source", "note") if not isinstance(entry.get(each, ""), str)]
        if wrong:
            raise DataFileError(path, f"{wrong[0]} of {where} is {entry[wrong[0]]!r}", "expected text")
        if entry["unit"] != known[key].unit:
            raise DataFileError(path, f"{where} is in {entry['unit']!r}", f"convert it to {known[key].unit!r}")
        if entry["source"] not in sources:
            raise DataFileError(path, f"{where} has the source {entry['source']!r}", "list it under [sources]")
    return {key: Entry(each["value"], each["source"], each.get("note", "")) for key, each in given.items()}


def _entries(path: Path, group: str, raw: Mapping[str, Any], sources: Mapping[str, str]) -> dict[str, Entry]:
    """Return all parameters of a group."""
    known = {q.name: q for q in crop_quantities(group)}
    entries = _given(path, group, raw, sources)
    missing = [name for name in known if name not in entries]
    default = raw.get("default_source")
    if missing and default not in sources:
        raise DataFileError(path, f"{group} lacks {', '.join(missing)}", "add them, each with its source")
    model = GROUPS[group]()
    entries |= {name: Entry(plain(getattr(model, name)), default) for name in missing if default is not None}
    return {name: entries[name] for name in known}


def plain(value: Any) -> Any:
    """Return a parameter as numbers that can be written: a float, or rows [x, y]."""
    if isinstance(value, Table):
        return np.stack([np.asarray(value.x), np.asarray(value.y)], axis=-1).astype(float).tolist()
    return float(value)


def write_crop_file(file: CropFile, path: Path) -> None:
    """Write a file that `read_crop_file` reads, whole or not at all."""
    lines = [f"name = {_text(file.name)}", f"description = {_text(file.description)}", "", "[sources]"]
    lines += [f"{_key(key)} = {_text(text)}" for key, text in file.sources.items()]
    tables = {group: getattr(file, group) for group in GROUPS}
    tables |= {f"revision.{group}": entries for group, entries in file.revision.items() if entries}
    for table, entries in tables.items():
        lines += ["", f"[{table}]"]
        for q in crop_quantities(table.removeprefix("revision.")):
            if q.name in entries:
                each = entries[q.name]
                note = f", note = {_text(each.note)}" if each.note else ""
                value = json.dumps(np.asarray(each.value, float).tolist())  # floats, which JSON writes as TOML does
                text = f"value = {value}, unit = {_text(q.unit)}, source = {_text(each.source)}{note}"
                lines.append(f"{q.name} = {{ {text} }}")
    write_text(path, "\n".join(lines) + "\n")


def _key(key: str) -> str:
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else _text(key)


def _text(text: str) -> str:
    # A JSON string is a TOML basic string, but for the delete character.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def load_crop(name: str | Path, *, revised: bool = False, **overrides: Any) -> Crop:
    """Return a crop by its name or by the path of its file, with overrides of LINTUL-3 parameters by name or symbol.

    `revised`: with the later values of its file, where it has any.

    >>> load_crop("faba_bean", WCI=0.25).plant.nitrogen_fixation
    0.8
    """
    file = describe_crop(name)
    crop = (file.revised if revised else file).crop()
    return Crop(plant=override(crop.plant, overrides), height=crop.height)


def describe_crop(name: str | Path) -> CropFile:
    """Return the file of a crop: every parameter with its source."""
    if name in CROPS:
        return _shipped(str(name))
    path = Path(name)
    if path.suffix == ".toml":
        if path.is_file():
            return read_crop_file(path)
        raise PhytotronError(f"no crop file {name}; give the path of one, or a crop of the package: {', '.join(CROPS)}")
    if path.is_file():
        remedy = f"make one of it: phytotron crop import {name} --name NAME --base CROP --output NAME.toml"
        raise DataFileError(path, "is not a crop file (.toml)", remedy)
    raise UnknownNameError("crop", str(name), CROPS)


@functools.cache
def _shipped(name: str) -> CropFile:
    return read_crop_file(CROPS[name])
