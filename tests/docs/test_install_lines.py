"""The lines that install Phytotron name extras that there are."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_readme_and_docs_name_extras_that_there_are() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").rglob("*.py")]
    named = {
        extra
        for path in pages
        for group in re.findall(r"pip install '(?:phytotron|\.)\[([\w,]+)\]'", path.read_text(encoding="utf-8"))
        for extra in group.split(",")
    }
    assert {"agents", "data", "report", "sb3"} <= named <= set(project["optional-dependencies"])


def test_the_first_page_says_once_how_to_install_and_what_each_extra_adds() -> None:
    text = (ROOT / "docs" / "start.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert text.count("\n## Install\n") == 1
    assert f"\npip install './phytotron-{project['version']}-py3-none-any.whl[" in text
    table = text[text.index("| extra | what it adds |") : text.index("## Two minutes on")]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert set(re.findall(r"`(\w+)`", "".join(rows))) == set(project["optional-dependencies"]) - {"dev", "docs"}
    for path in re.findall(r"`(examples/[\w/]+\.py)`", text):
        assert (ROOT / path).exists(), path
