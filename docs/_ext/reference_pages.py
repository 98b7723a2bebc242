"""The reference: a page for every package directly inside `phytotron`, with all of its public modules by autodoc."""

from __future__ import annotations

import ast
import importlib.util
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import phytotron

ROOT = Path(phytotron.__file__).parent
TOP = "phytotron"


def public_modules() -> list[str]:
    """The names of all modules and packages of the package, except those whose name begins with an underscore."""
    found = [TOP, *(each.name for each in pkgutil.walk_packages([str(ROOT)], f"{TOP}.", onerror=_fail))]
    return [name for name in found if not any(part.startswith("_") for part in name.split("."))]


def _fail(name: str) -> None:
    raise ImportError(f"the package {name} cannot be imported; the reference needs all of them")


def reference_pages() -> dict[str, str]:
    """The pages of the reference, by the name of their file."""
    groups: dict[str, list[str]] = {}
    for name in public_modules():
        inner = name.split(".")[1:2]
        is_package = bool(inner) and (ROOT / inner[0]).is_dir()
        groups.setdefault(f"{TOP}.{inner[0]}" if is_package else TOP, []).append(name)
    return {f"{group}.md": _page(group, modules) for group, modules in groups.items()}


def _page(group: str, modules: list[str]) -> str:
    return "\n".join([f"# {group}", "", *(line for name in modules for line in _section(name, group))])


def _section(name: str, group: str) -> Iterator[str]:
    if name != group:
        yield from (f"## {name.removeprefix(f'{group}.')}", "")
    yield from (
        "```{eval-rst}",
        f".. automodule:: {name}",
        "   :members:",
        "   :undoc-members:",
        "   :show-inheritance:",
    )
    yield from ("   :ignore-module-all:", "```", "")
    names = reexported(name)
    if names:
        yield from ("Names from inner modules that can be imported from here: " + ", ".join(names) + ".", "")


def reexported(name: str) -> list[str]:
    """The public names of a package that are defined in its modules, as links to them, in the order of `__all__`."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None or not spec.origin.endswith("__init__.py"):
        return []
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    found = {
        (alias.asname or alias.name): f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(TOP)
        for alias in node.names
        if not (alias.asname or alias.name).startswith("_")
    }
    return [f"{{py:obj}}`{short} <{full}>`" for short, full in sorted(found.items())]
