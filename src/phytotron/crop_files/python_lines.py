"""Parameter files of PCSE, which are Python: KEY = number, KEY = [x, y, x, y, ...], # comments.

PCSE executes them. They are read here, and not executed: a value that would have to be computed stays unknown.
"""

from __future__ import annotations

import ast
import math
import warnings
from pathlib import Path
from typing import Any

from phytotron.crop_files.keyed_lines import split_outside_quotes, stated_unit
from phytotron.crop_files.source import Content, Given, Source, collected, line_error


def read_pcse(path: Path, text: str) -> Source:
    """The assignments of a parameter file of PCSE."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # of odd escapes in comments that are strings
            module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        problem = getattr(error, "msg", None) or "cannot be read as a parameter file of PCSE"
        raise line_error(path, line, problem, "correct the line; the file may have been cut off") from None
    lines = text.splitlines()
    found: list[tuple[str, Given]] = []
    for statement in module.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            comment = split_outside_quotes(lines[statement.lineno - 1], "#")[1]
            given = Given(_content(statement.value), statement.lineno, stated_unit(comment))
            found.append((statement.targets[0].id, given))
    return collected(path, "PCSE", found)


def _content(node: ast.expr) -> Content:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError, MemoryError):
        return ast.unparse(node)
    if _is_number(value):
        return float(value)
    if isinstance(value, list | tuple) and value and all(_is_number(each) for each in value):
        return [float(each) for each in value]
    return str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
