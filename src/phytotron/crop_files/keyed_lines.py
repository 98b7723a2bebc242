"""Files of lines KEY = value: those of CABO and WOFOST, the INI sets of Rlintul, and those of PCSE.

::

    ** comment                                       # comment
    RDMCR  = 100.     ! largest depth [cm]           [rooting]
    FRTB   = 0.00, 0.50,                             # largest depth [cm]
             2.00, 0.00                              RDMCR = 100.
    NMINSO = 0.03 ;  NMINVE = 0.008                  FRTB = 0.00, 0.50, 2.00, 0.00

Tables go on over lines. Text stands in quotes. Units stand in brackets in the comment beside the value or above it.

Files of PCSE are Python: KEY = number, KEY = [x, y, x, y, ...], # comments. PCSE executes them. They are read here, and
not executed: a value that would have to be computed stays unknown.
"""

import ast
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from phytotron.crop_files.source import Content, Given, Source, collected, content, line_error

ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)\s*=\s*(.*)", re.ASCII)
SECTION = re.compile(r"\[[^\]=]*\]")
UNIT = re.compile(r"\[([^\]]+)\]")
HUGE = 1e300  # a whole number of Python may be larger than any float


@dataclass
class Open:
    """A value that later lines may go on."""

    key: str
    line: int
    text: str
    unit: str = ""


@dataclass
class Reader:
    """Collects the values of a file, statement by statement."""

    path: Path
    found: list[tuple[str, Given]] = field(default_factory=list)
    current: Open | None = None

    def statement(self, text: str, line: int, unit: str) -> None:
        """Read one assignment, or the rest of the one before."""
        match = ASSIGNMENT.fullmatch(text)
        if match:
            self.close()
            self.current = Open(match[1], line, match[2], unit)
        elif self.current is not None and re.fullmatch(r"[-+.\deE,\s]+", text):
            before = self.current.text.strip()
            self.current.text = f"{before} {text}" if not before or before.endswith(",") else f"{before}, {text}"
            self.current.unit = self.current.unit or unit
        else:
            raise line_error(self.path, line, f"{text[:60]!r} is no KEY = value", "correct or remove the line")

    def close(self) -> None:
        """Keep the value, which is complete."""
        if self.current is None:
            return
        now, self.current = self.current, None
        text = now.text.strip()
        if not text or text.endswith(","):
            remedy = "complete it; the file may have been cut off there"
            raise line_error(self.path, now.line, f"{now.key} ends before its value does", remedy)
        if text[0] in "'\"":
            if len(text) < 2 or text[-1] != text[0]:
                raise line_error(self.path, now.line, f"{now.key} has text without an end", "close the quote")
            self.found.append((now.key, Given(text[1:-1], now.line)))
            return
        self.found.append((now.key, Given(content(text), now.line, now.unit)))


def read_cabo(path: Path, text: str) -> Source:
    """Return CABO files.

    `**` begins a comment line, `!` a comment beside a value, `;` stands between values on one line.
    """
    reader = Reader(path)
    for line, raw in enumerate(text.splitlines(), 1):
        if raw.lstrip().startswith("*"):
            continue
        kept, comment = split_outside_quotes(raw, "!")
        unit = stated_unit(comment)
        for part in outside_quotes(kept, ";"):
            if part.strip():
                reader.statement(part.strip(), line, unit)
        if unit and not kept.strip() and reader.current is not None:
            reader.current.unit = reader.current.unit or unit
    reader.close()
    return collected(path, "CABO", reader.found)


def read_ini(path: Path, text: str) -> Source:
    """Return INI sets; `#` and `;` begin a comment, and [section] a section, which has no meaning here."""
    reader = Reader(path)
    above = ""
    for line, raw in enumerate(text.splitlines(), 1):
        stripped = raw.strip()
        if not stripped or SECTION.fullmatch(stripped):
            above = ""
        elif stripped[0] in "#;":
            above = stated_unit(stripped)
        else:
            kept, comment = split_outside_quotes(stripped, "#")
            reader.statement(kept.strip(), line, stated_unit(comment) or above)
            above = ""
    reader.close()
    return collected(path, "INI", reader.found)


def stated_unit(comment: str) -> str:
    """Return the unit in the last brackets of a comment; of a table's units [-; ha kg-1], that of its values."""
    found = UNIT.findall(comment)
    return found[-1].split(";")[-1].strip() if found else ""


def split_outside_quotes(text: str, mark: str) -> tuple[str, str]:
    """Return the text before and after the first mark that does not stand in quotes."""
    first, *rest = outside_quotes(text, mark)
    return first, mark.join(rest)


def outside_quotes(text: str, mark: str) -> list[str]:
    """Return the parts between marks that do not stand in quotes."""
    parts, quote = [""], ""
    for character in text:
        if character == mark and not quote:
            parts.append("")
            continue
        if quote and character == quote:
            quote = ""
        elif not quote and character in "'\"":
            quote = character
        parts[-1] += character
    return parts


def read_pcse(path: Path, text: str) -> Source:
    """Return the assignments of a parameter file of PCSE."""
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
    return isinstance(value, int | float) and not isinstance(value, bool) and -HUGE < value < HUGE
