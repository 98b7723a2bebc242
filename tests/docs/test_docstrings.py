"""Every public name of the package has a docstring that begins with a sentence which says what it is or does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import phytotron

PACKAGE = Path(phytotron.__file__).parent
FRAGMENTS = frozenset(
    re.findall(
        r"\w+",
        "Above After Ahead Anywhere As At Before By Equation Even For From How In Like Nothing Of On Over Per Since "
        "That Those To Until What When Where Whether Which Who Why With Within Without",
    )
)
WOODEN = re.compile(
    r"This (module|class|function)|A record of (what|how|where|whether)|Return (what|how|where|why|which|who)\b"
)
COMMANDS = "cli"  # whose functions are commands: their docstrings are help texts
LEAST_WORDS = 2

Named = tuple[str, ast.Module | ast.ClassDef | ast.FunctionDef]


def members(path: Path) -> Iterator[Named]:
    tree, module = ast.parse(path.read_text(encoding="utf-8")), path.relative_to(PACKAGE).as_posix()
    yield module, tree
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            yield f"{module}:{node.name}", node
            for inner in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(inner, ast.ClassDef | ast.FunctionDef) and not inner.name.startswith("_"):
                    yield f"{module}:{node.name}.{inner.name}", inner


PUBLIC = [named for path in sorted(PACKAGE.rglob("*.py")) for named in members(path)]
INHERITED = {  # documented by a class from which others inherit
    (node.name, inner.name)
    for _, node in PUBLIC
    if isinstance(node, ast.ClassDef)
    for inner in node.body
    if isinstance(inner, ast.FunctionDef) and ast.get_docstring(inner)
}
BASES = {
    node.name: [ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases]
    for _, node in PUBLIC
    if isinstance(node, ast.ClassDef)
}


def inherits(owner: str, method: str) -> bool:
    """Whether a base class documents a method, as `inspect.getdoc` and the reference on the site find it."""
    return any((base, method) in INHERITED or inherits(base, method) for base in BASES.get(owner, ()))


def test_every_public_name_has_a_docstring() -> None:
    assert len(PUBLIC) > 2500
    missing = [
        name
        for name, node in PUBLIC
        if not ast.get_docstring(node) and not inherits(*name.rpartition(":")[2].rpartition(".")[::2])
    ]
    assert missing == []


def test_every_docstring_begins_with_a_sentence() -> None:
    fragments = []
    for name, node in PUBLIC:
        words = (ast.get_docstring(node) or "").split("\n\n")[0].split()
        if words and (words[0].rstrip(",:") in FRAGMENTS or len(words) < LEAST_WORDS) and not name.startswith(COMMANDS):
            fragments.append(f"{name}: {' '.join(words)}")
    assert fragments == []


def test_docstrings_name_the_thing_and_not_a_question_about_it() -> None:
    """A docstring says "The inputs of a replay", not "This module defines what a replay is driven by"."""
    assert [name for name, node in PUBLIC if WOODEN.match(ast.get_docstring(node) or "")] == []


def test_functions_that_return_something_say_so_by_a_verb() -> None:
    """A function is not described as the thing that it returns: "Return the mean", not "The mean"."""
    nouns = []
    for name, node in PUBLIC:
        if not isinstance(node, ast.FunctionDef) or name.startswith((COMMANDS, "testing")):
            continue
        attribute = any("property" in ast.unparse(each) for each in node.decorator_list)
        words = (ast.get_docstring(node) or "").split()
        if not attribute and words and words[0] in {"A", "All", "An", "Every", "One", "Some", "The"}:
            nouns.append(f"{name}: {' '.join(words)}")
    assert nouns == []
