"""One crop from files of whatever format: what each gives, where they disagree, what is left to a known crop."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from phytotron.core.errors import DataFileError, PhytotronError, ValueRangeError
from phytotron.crop_files.interpreting import Interpretation, interpreted
from phytotron.crop_files.keyed_lines import read_cabo, read_ini, read_pcse
from phytotron.crop_files.source import LARGEST_FILE, Source, line_error
from phytotron.crop_files.wofost_yaml import read_yaml
from phytotron.models.crops.crop import PLANT_PARAMETERS
from phytotron.models.crops.crop_file import CropFile, Entry, crop_quantities, describe_crop

CLOSE = 1e-6  # relative; values that differ by less agree
VEGETATIVE, AGEING = "vegetative_temperature_sum", "ageing_temperature_sum"
YAML = (".yaml", ".yml")
FORMATS = "CABO (KEY = value, ** comments), PCSE (KEY = [...], # comments), WOFOST YAML, INI (sections)"


@dataclass(frozen=True)
class Conflict:
    """A parameter to which several lines give different values; the last of them is kept."""

    parameter: str
    claims: tuple[tuple[str, Any], ...]  # where it stands, and its value

    @property
    def winner(self) -> str:
        """Return the place of the value that is kept."""
        return self.claims[-1][0]


@dataclass(frozen=True)
class Unused:
    """A key that has no meaning for a crop here, and why."""

    where: str
    key: str
    reason: str


@dataclass(frozen=True)
class Import:
    """A crop, and how it came about."""

    file: CropFile
    taken: dict[str, int]  # parameters that each file decided
    conflicts: tuple[Conflict, ...]
    unused: tuple[Unused, ...]
    from_base: tuple[str, ...]  # parameters that no file gives
    warnings: tuple[str, ...]


def import_crop(
    paths: Sequence[Path],
    name: str,
    *,
    base: str | None = None,
    shares_of_shoot: bool = False,
    variety: str | None = None,
) -> Import:
    """Read crop parameter files, and return them converted to one checked crop file, with notes on what was taken.

    Of several files, a later one wins where it disagrees with an earlier one. What none of them says is taken from
    the crop `base`; without a base, it is refused that something is missing.
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        raise ValueRangeError("the name of the crop", name, "letters, digits and _, as in faba_bean")
    if not paths:
        raise PhytotronError("no crop files to import; give one or more")
    varieties = {path: variety for path in paths if path.suffix.lower() in YAML}
    parts = [interpreted(read_source(path, varieties.get(path)), shares_of_shoot) for path in paths]
    labels = unique_labels(paths)
    shown = [path.name for path in paths]
    shown = shown if len(set(shown)) == len(shown) else [str(path) for path in paths]
    entries, sources = merged(parts, labels)
    missing = [parameter for parameter in PLANT_PARAMETERS if parameter not in entries]
    known = base_crop(base, missing, paths)
    lent = paced(lent_by(known, missing), known, entries)
    entries |= lent.plant
    plant = {parameter: entries[parameter] for parameter in PLANT_PARAMETERS}
    used = {each.source for each in (*plant.values(), *lent.height.values())}
    kept = {key: text for key, text in {**sources, **lent.sources}.items() if key in used}
    description = f"Imported from {', '.join(path.name for path in paths)}; the rest from {lent.name}"
    made = CropFile(name, description, kept, plant, lent.height)
    try:
        made.crop()
    except PhytotronError as error:
        remedy = "values of different files, or those of the base, do not go together; leave one away"
        raise DataFileError(", ".join(map(str, paths)), str(error), remedy) from None
    return Import(
        file=made,
        taken={
            str(path): sum(each.source == label for each in plant.values())
            for path, label in zip(paths, labels, strict=True)
        },
        conflicts=conflicts(parts, shown),
        unused=tuple(
            Unused(f"{file}, line {part.source.values[key].line}", key, reason)
            for part, file in zip(parts, shown, strict=True)
            for key, reason in part.unused.items()
        ),
        from_base=(*missing, *(f"height.{each}" for each in lent.height)),
        warnings=tuple(f"{file}: {each}" for part, file in zip(parts, shown, strict=True) for each in part.warnings),
    )


def merged(parts: Sequence[Interpretation], labels: Sequence[str]) -> tuple[dict[str, Entry], dict[str, str]]:
    """Return entries of all files, the later over the earlier, and what their labels stand for."""
    entries: dict[str, Entry] = {}
    sources = {}
    for part, label in zip(parts, labels, strict=True):
        sources[label] = f"{part.source.path.name} ({part.source.format})"
        for parameter, taken in part.taken.items():
            note = f"{taken.key}, line {taken.line}" + (f": {taken.note}" if taken.note else "")
            entries[parameter] = Entry(taken.value, label, note)
    return entries, sources


def base_crop(base: str | None, missing: Sequence[str], paths: Sequence[Path]) -> CropFile:
    """Return the known crop that supplies missing parameters, and the height, which no format has."""
    if base is not None:
        return describe_crop(base)
    lacking = ", ".join([*missing, *(f"height.{q.name}" for q in crop_quantities("height"))])
    remedy = "add a file that has them, or name a crop to take them from, as --base faba_bean"
    raise DataFileError(", ".join(map(str, paths)), f"nothing gives {lacking}", remedy)


def lent_by(known: CropFile, missing: Sequence[str]) -> CropFile:
    """Return the missing parameters of a known crop, under the name of their source there."""

    def lent(entry: Entry) -> Entry:
        return Entry(entry.value, f"{known.name}.{entry.source}", entry.note)

    return CropFile(
        name=known.name,
        description=known.description,
        sources={f"{known.name}.{key}": text for key, text in known.sources.items()},
        plant={key: lent(known.plant[key]) for key in missing},
        height={key: lent(entry) for key, entry in known.height.items()},
    )


def paced(lent: CropFile, known: CropFile, entries: Mapping[str, Entry]) -> CropFile:
    """Return the values in thermal time that another crop lends, at the pace at which this one develops."""
    if VEGETATIVE not in entries:
        return lent
    pace = entries[VEGETATIVE].value / known.plant[VEGETATIVE].value
    note = f"that of {lent.name}, in proportion to TSUM1"
    ageing, rate = lent.plant.get(AGEING), lent.height["rate"]
    plant, height = dict(lent.plant), dict(lent.height)
    if ageing is not None:
        plant[AGEING] = Entry(round(ageing.value * pace, 6), ageing.source, note)
    height["rate"] = Entry(round(rate.value / pace, 9), rate.source, note)
    return replace(lent, plant=plant, height=height)


def conflicts(parts: Sequence[Interpretation], files: Sequence[str]) -> tuple[Conflict, ...]:
    """Return keys that a file gives twice, and parameters that files do not agree on."""
    found = []
    for part, file in zip(parts, files, strict=True):
        for key, earlier in part.source.repeated.items():
            lines = [*earlier, part.source.values[key]]
            found.append(Conflict(key, tuple((f"{file}, line {each.line}", each.value) for each in lines)))
    for parameter in PLANT_PARAMETERS:
        given = [
            (file, part.taken[parameter]) for part, file in zip(parts, files, strict=True) if parameter in part.taken
        ]
        if any(not agree(given[0][1].value, taken.value) for _, taken in given[1:]):
            claims = ((f"{file}, line {taken.line}, {taken.key}", taken.value) for file, taken in given)
            found.append(Conflict(parameter, tuple(claims)))
    return tuple(found)


def agree(first: Any, second: Any) -> bool:
    """Return whether two values say the same; tables may say it with other points."""
    if isinstance(first, float) or isinstance(second, float):
        return bool(np.isclose(first, second, rtol=CLOSE, atol=0.0))
    one, other = np.asarray(first), np.asarray(second)
    x = np.unique(np.concatenate([one[:, 0], other[:, 0]]))
    y, z = np.interp(x, one[:, 0], one[:, 1]), np.interp(x, other[:, 0], other[:, 1])
    return bool(np.allclose(y, z, rtol=CLOSE, atol=CLOSE))


def unique_labels(paths: Sequence[Path]) -> list[str]:
    """Return a short key for each file: its name without ending, numbered where two have the same."""
    labels: list[str] = []
    for path in paths:
        label = re.sub(r"[^A-Za-z0-9_-]+", "_", path.stem) or "file"
        number = 2
        while label in labels:
            label, number = f"{label.rsplit('__', 1)[0]}__{number}", number + 1
        labels.append(label)
    return labels


def read_source(path: Path, variety: str | None = None) -> Source:
    """Read a file; its format is recognised by what is in it. `variety` is for YAML files with several."""
    text = file_text(path)
    if re.search(r"(?m)^CropParameters\s*:", text) or path.suffix.lower() in YAML:
        return read_yaml(path, text, variety)
    if variety is not None:
        raise DataFileError(path, "is no YAML file of WOFOST and has no varieties", "leave --variety away")
    if not re.search(r"(?m)^\s*[A-Za-z_]\w*\s*=", text):
        raise DataFileError(path, "is no crop parameter file of a known format", f"known: {FORMATS}")
    if re.search(r"(?m)^\s*\[[^\]=,]*[A-Za-z][^\]=]*\]\s*$", text):
        return read_ini(path, text)
    if re.search(r"(?m)^\s*\w+\s*=\s*[\[(]|^\s*(\"{3}|'{3})", text):
        return read_pcse(path, text)
    cabo = re.search(r"(?m)^\s*\*|^[^'\"\n#]*!", text) or not re.search(r"(?m)^[^'\"\n]*#", text)
    return read_cabo(path, text) if cabo else read_pcse(path, text)


def file_text(path: Path) -> str:
    """Return the text of a file, which must be UTF-8."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise DataFileError(path, "is too large for a crop file", "give the file of one crop")
        data = path.read_bytes()
    except OSError as error:
        raise DataFileError(path, f"cannot be read ({error.strerror})", "give the path of a crop file") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise line_error(path, line, "is not UTF-8", "save the file as UTF-8") from None
    if "\0" in text:
        raise DataFileError(path, "is not text", f"give a crop parameter file: {FORMATS}")
    if not text.strip():
        raise DataFileError(path, "is empty", f"give a crop parameter file: {FORMATS}")
    return text
