"""YAML files of WOFOST: CropParameters with EcoTypes and Varieties, which take over what they do not say by `<<`.

::

    CropParameters:
      EcoTypes:
        bean: &bean
          RDMCR:
          - 100.0
          - maximum rooting depth
          - ['cm']
      Varieties:
        Bean_801:
          <<: *bean

Only the tree of the document is made (and no objects from it), because it knows the line of everything.
"""

from pathlib import Path
from typing import Any

from phytotron.core.errors import DataFileError, UnknownNameError
from phytotron.crop_files.source import Content, Given, Source, collected, line_error, number

MERGE = "<<"


def read_yaml(path: Path, text: str, variety: str | None = None) -> Source:
    """Return the parameters of a variety; a file with a single one need not be asked for it by name."""
    root = _document(path, text)
    known: dict[int, dict[str, Any]] = {}
    parameters = _entries(path, root, known).get("CropParameters")
    varieties = _entries(path, parameters, known).get("Varieties") if _is_mapping(parameters) else None
    if not _is_mapping(varieties):
        raise DataFileError(path, "has no CropParameters with Varieties", "give a crop file of WOFOST in YAML")
    choices = _entries(path, varieties, known)
    if variety is None and len(choices) != 1:
        raise DataFileError(path, f"holds {len(choices)} varieties", f"choose one: {', '.join(choices) or 'none'}")
    chosen = next(iter(choices)) if variety is None else variety
    if chosen not in choices:
        raise UnknownNameError(f"variety of {path}", chosen, choices)
    found = [
        (key, _given(node))
        for key, node in _entries(path, choices[chosen], known).items()
        if key != "Metadata"
    ]  # fmt: skip
    return collected(path, f"WOFOST YAML, {chosen}", found)


def _document(path: Path, text: str) -> Any:
    try:
        import yaml
    except ImportError:
        raise DataFileError(path, "YAML files need PyYAML", "install it: pip install 'phytotron[crops]'") from None
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "is no YAML"
        raise line_error(path, mark.line + 1 if mark else 1, str(problem), "correct the line") from None
    except RecursionError:
        raise DataFileError(path, "is nested too deeply", "give a crop file of WOFOST in YAML") from None


def _is_mapping(node: Any) -> bool:
    return getattr(node, "id", "") == "mapping"


def _entries(path: Path, node: Any, known: dict[int, dict[str, Any]]) -> dict[str, Any]:
    """Return the nodes of a mapping by key, with those that it takes over; `known` holds what was found before."""
    if not _is_mapping(node):
        line = node.start_mark.line + 1 if node is not None else 1
        raise line_error(path, line, "is not made of KEY: value", "give a crop file of WOFOST in YAML")
    if id(node) in known:
        return known[id(node)]
    known[id(node)] = {}  # what takes over itself takes over nothing
    inherited: dict[str, Any] = {}
    own: dict[str, Any] = {}
    for key, value in node.value:
        if key.value != MERGE:
            own[str(key.value)] = value
            continue
        for parent in value.value if getattr(value, "id", "") == "sequence" else [value]:
            inherited = _entries(path, parent, known) | inherited
    known[id(node)] = inherited | own
    return known[id(node)]


def _given(node: Any) -> Given:
    """Return the value and the unit of an entry, written as [value, description, [units]] or as the value alone."""
    line = node.start_mark.line + 1
    if getattr(node, "id", "") != "sequence" or not node.value:
        return Given(_content(node), line)
    first, last = node.value[0], node.value[-1]
    units = [str(each.value) for each in last.value] if getattr(last, "id", "") == "sequence" else []
    return Given(_content(first), first.start_mark.line + 1, units[-1] if len(node.value) > 2 and units else "")


def _content(node: Any) -> Content:
    kind = getattr(node, "id", "")
    if kind == "scalar":
        found = number(str(node.value))
        return str(node.value) if found is None else found
    if kind == "sequence":
        numbers = [number(str(each.value)) if each.id == "scalar" else None for each in node.value]
        wrong = next((each for each, found in zip(node.value, numbers, strict=True) if found is None), None)
        return str(wrong.value)[:60] if wrong is not None else [found for found in numbers if found is not None]
    return kind
