"""The documentation site: every page has its place in it, every module its section, every environment its page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from phytotron.core.registry import registered
from phytotron.report.glossary import TERMS
from phytotron.report.terms import GROWING, LEARNING

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
GENERATED = ("environments", "reference")  # folders of pages that the build writes
DRAWN = "gallery"  # a page that it writes


@pytest.fixture
def extension(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    return import_module


def written_pages() -> dict[str, str]:
    """The text of every page that is kept in the repository, by its name in a toctree."""
    found = {}
    for path in DOCS.rglob("*.md"):
        place = path.relative_to(DOCS)
        if place.parts[0] not in (*GENERATED, f"{DRAWN}.md") and not place.parts[0].startswith("_"):
            found[place.with_suffix("").as_posix()] = path.read_text(encoding="utf-8")
    return found


def toctree_entries() -> list[str]:
    """What all toctrees of the site list, patterns included."""
    blocks = [re.findall(r"^```\{toctree\}\n(.*?)^```", text, re.DOTALL | re.M) for text in written_pages().values()]
    lines = [line for page in blocks for block in page for line in block.splitlines()]
    return [line for line in lines if line and not line.startswith(":")]


def test_every_page_stands_in_exactly_one_toctree() -> None:
    entries = Counter(toctree_entries())
    assert {f"{folder}/*" for folder in GENERATED} <= entries.keys()
    assert {name: count for name, count in entries.items() if count != 1} == {}
    pages = {name: [entry for entry in entries if fnmatch(name, entry)] for name in written_pages() if name != "index"}
    assert {name: found for name, found in pages.items() if len(found) != 1} == {}


def test_every_entry_of_a_toctree_is_a_page() -> None:
    pages = written_pages()
    assert [entry for entry in toctree_entries() if "*" not in entry and entry not in (*pages, DRAWN)] == []


def test_every_module_has_a_section_in_the_reference(extension: Callable[[str], ModuleType]) -> None:
    pages = extension("reference_pages").reference_pages()
    listed = Counter(re.findall(r"automodule:: (\S+)", "\n".join(pages.values())))
    source = ROOT / "src"
    files = [path.relative_to(source).with_suffix("").parts for path in (source / "phytotron").rglob("*.py")]
    modules = {".".join(parts[:-1] if parts[-1] == "__init__" else parts) for parts in files}
    assert listed == Counter(modules - {"phytotron.__main__"})


def test_names_that_a_package_offers_from_its_modules_are_links(extension: Callable[[str], ModuleType]) -> None:
    links = extension("reference_pages").reexported("phytotron.environments.lettuce")
    assert "{py:obj}`Lettuce <phytotron.environments.lettuce.environment.Lettuce>`" in links


def test_every_environment_has_a_page_of_its_own_and_measured_scores(extension: Callable[[str], ModuleType]) -> None:
    pages = extension("environment_pages")
    names = [pages.page_name(id) for id in registered()]
    assert len(set(names)) == len(names) and "greenhouse_setpoint" in names
    assert set(pages.DETAILS) == set(registered())
    assert set(pages.DETAILS.values()) <= written_pages().keys()
    scores = json.loads((DOCS / "_data" / "scores.json").read_text(encoding="utf-8"))
    assert set(scores) == set(registered())


def test_the_page_of_an_environment_says_spaces_units_costs_options_and_scores(
    extension: Callable[[str], ModuleType],
) -> None:
    agent = {"note": "PPO", "return": 2.5, "episodes": 3, "seeds": [2.0, 3.0]}
    rules = {"note": "rules", "return": -4.2, "episodes": 3}
    measured = {"weather": "some", "scores": {"rule-based": rules, "lettuce/ppo": agent}}
    text = extension("environment_pages").environment_page("phytotron/Lettuce-v0", measured)
    assert text.startswith("# Lettuce greenhouse\n")
    assert "| `temperature` | `X_T` | °C | 5 to 40 | air temperature |" in text
    assert "| `heating_change` | `ΔU_q` | 15 W m⁻² | −1 to 1 | heat supplied |" in text
    assert "| `co2` | ppm | CO₂ of the air out of bounds |" in text
    assert "| `forecast` | `0` | `int` |" in text
    assert "| `lettuce/ppo` | PPO | 2.50 |" in text
    assert "| `rule-based` | rules | −4.20 |" in text and "Means over 3 episodes on the weather `some`" in text
    assert "**Reward.**" in text and "| `heat` | `c_q` | € kWh⁻¹ | 0.1281 | price of heat |" in text


def test_links_to_source_files_become_links_to_the_reference(extension: Callable[[str], ModuleType]) -> None:
    linked = extension("source_links").linked
    assert linked("[a](../src/phytotron/core/adjoint.py)") == "{py:mod}`a <phytotron.core.adjoint>`"
    assert linked("[b](../src/phytotron/agents/__init__.py)") == "{py:mod}`b <phytotron.agents>`"
    assert linked("[d](../src/phytotron/agents)") == "{py:mod}`d <phytotron.agents>`"
    assert linked("[c](../benchmarks/RESULTS.md)") == "[c](benchmarks.md)"


def test_the_glossary_explains_each_word_once() -> None:
    words = Counter([*GROWING, *LEARNING, *TERMS])
    assert {word: count for word, count in words.items() if count > 1} == {}
    assert [word for word, meaning in (GROWING | LEARNING | TERMS).items() if meaning.endswith(".")] == []


def test_the_glossary_page_lists_the_words_of_the_package(extension: Callable[[str], ModuleType]) -> None:
    text = extension("glossary_words").with_words((DOCS / "glossary.md").read_text(encoding="utf-8"))
    assert "<!-- words" not in text and text.count("\n```{glossary}\n") == 2
    assert [word for word in GROWING | LEARNING | TERMS if f"\n{word}\n  " not in text] == []


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip(
        "myst_nb", reason="the extra docs is not installed; `make docs` does this in its own environment"
    )
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-b", "html", str(DOCS), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr[-4000:]
    assert (tmp_path / "index.html").exists() and (tmp_path / "environments" / "lettuce.html").exists()
    for path in (DOCS / "tutorials").glob("*.md"):
        assert "cell_output" in (page := (tmp_path / "tutorials" / f"{path.stem}.html").read_text(encoding="utf-8"))
        assert "../_images/" in page, f"{path.name} shows no figure"
    assert 'id="term-actuator"' in (tmp_path / "glossary.html").read_text(encoding="utf-8")
