"""Files cannot run code, pages cannot be injected into, and packages hold what they should."""

from __future__ import annotations

import ast
import base64
import dataclasses
import hashlib
import re
import subprocess
import sys
import tarfile
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from training_runs import MeasuredCountdown

from phytotron.controllers import make_competitor
from phytotron.core.environment import Measure
from phytotron.core.fields import Quantity
from phytotron.episodes.engine import windows
from phytotron.evaluation.examination import examine
from phytotron.report.html_page import csv_link, page, table
from phytotron.report.pages import write_episode_page

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "phytotron"
# (module, function) that can run code that a file holds
UNSAFE = {
    ("pickle", "load"), ("pickle", "loads"), ("pickle", "Unpickler"), ("torch", "load"), ("joblib", "load"),
    ("dill", "load"), ("dill", "loads"), ("cloudpickle", "load"), ("cloudpickle", "loads"), ("marshal", "loads"),
    ("shelve", "open"), ("yaml", "load"), ("yaml", "unsafe_load"), ("yaml", "full_load"), ("pandas", "read_pickle"),
    ("os", "system"), ("os", "popen"),
}  # fmt: skip
BUILTINS = {"eval", "exec", "compile", "__import__"}
# What is known: a copy of an environment that the same line has pickled, and checkpoints of Ray, which are its own.
KNOWN = {("testing/dynamics.py", "pickle.loads"), ("training/backends/rllib/train.py", "restore_from_path")}
HOSTILE = "<script>alert('x')</script><img src=x onerror=alert(1)>\"'&</title></script>"


def unsafe_calls(path: Path) -> set[str]:
    """Calls in a file that can run code."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        called, keywords = node.func, {each.arg: each.value for each in node.keywords}
        if isinstance(called, ast.Name) and called.id in BUILTINS:
            found.add(called.id)
        if isinstance(called, ast.Attribute):
            owner = called.value.id if isinstance(called.value, ast.Name) else ""
            if (owner, called.attr) in UNSAFE or called.attr in ("read_pickle", "restore_from_path"):
                found.add(f"{owner}.{called.attr}" if owner in ("pickle", "torch", "yaml", "os") else called.attr)
            if owner in ("np", "numpy") and called.attr == "load":
                allowed = keywords.get("allow_pickle")
                if not (isinstance(allowed, ast.Constant) and allowed.value is False):
                    found.add("np.load")
            if owner in ("PPO", "SAC", "DQN", "BaseAlgorithm") and called.attr == "load":  # of Stable-Baselines3
                found.add(f"{owner}.load")
        shell = keywords.get("shell")
        if isinstance(shell, ast.Constant) and shell.value is True:
            found.add("shell=True")
    return found


def test_nothing_that_is_read_can_run_code() -> None:
    paths = sorted(SOURCE.rglob("*.py"))
    found = {(str(path.relative_to(SOURCE)), call) for path in paths for call in unsafe_calls(path)}
    assert len(paths) > 300 and found == KNOWN


def test_the_check_sees_what_it_should(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text(
        "import pickle, torch\npickle.loads(b'')\ntorch.load('x')\nnp.load('x')\neval('1')\nPPO.load('x')\n"
    )
    assert unsafe_calls(path) == {"pickle.loads", "torch.load", "np.load", "eval", "PPO.load"}


class _Tags(HTMLParser):
    """The tags of a page, with what could run."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[dict[str, str | None]] = []
        self.events: list[str] = []
        self.policies: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        held = dict(attrs)
        if tag == "script":
            self.scripts.append(held)
        if tag == "meta" and held.get("http-equiv") == "Content-Security-Policy":
            self.policies.append(str(held["content"]))
        self.events += [name for name in held if name.startswith("on")]
        self.events += [str(value) for value in held.values() if str(value).lower().startswith("javascript:")]


def tags_of(text: str) -> _Tags:
    found = _Tags()
    found.feed(text)
    return found


class Hostile(MeasuredCountdown):
    """All its names are made to do harm."""

    id = f"test/{HOSTILE}-v0"
    measures = (Measure(Quantity(HOSTILE, HOSTILE, HOSTILE, HOSTILE), lambda info: info["age"]),)


def test_names_are_shown_and_never_run(tmp_path: Path) -> None:
    env = Hostile()
    competitor = dataclasses.replace(make_competitor("off", env), label=HOSTILE, note=HOSTILE)
    found = examine(env, competitor.controllers, windows(env, episodes=1), 0)
    text = write_episode_page(competitor, found, 1.0, tmp_path / "index.html").read_text(encoding="utf-8")
    tags = tags_of(text)
    assert [each.get("type") for each in tags.scripts] in ([None], ["application/json", None])
    assert not tags.events and "alert(" in text  # it is there, as text
    assert "<script>alert" not in text and "<img src=x" not in text


def test_parts_of_pages_escape_what_they_are_given() -> None:
    cells = table([(HOSTILE, HOSTILE, HOSTILE)], {HOSTILE: HOSTILE}) + csv_link(HOSTILE, [[HOSTILE]], HOSTILE)
    tags = tags_of(page(HOSTILE, [(HOSTILE, cells)], HOSTILE))
    assert len(tags.scripts) == 1 and not tags.events


def test_a_page_runs_its_own_script_alone_and_loads_nothing() -> None:
    text = page("title", [("heading", "<p>text</p>")], "footer")
    (policy,) = tags_of(text).policies
    script = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    assert len(script) == 1 and f"script-src 'sha256-{digest}'" in policy and "default-src 'none'" in policy
    assert "unsafe-eval" not in policy and "http" not in policy


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], list[str]]:
    """The names of what is in the wheel and in the sdist."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive, tarfile.open(sdist) as packed:
        return archive.namelist(), [name.partition("/")[2] for name in packed.getnames()]


@pytest.mark.slow
def test_the_wheel_holds_the_package_its_data_and_their_licences_and_nothing_else(packages: Any) -> None:
    wheel, _ = packages
    tops = {name.partition("/")[0] for name in wheel}
    assert len(tops) == 2 and "phytotron" in tops and all(re.match(r"phytotron(-.*\.dist-info)?$", top) for top in tops)
    assert any(name.endswith("licenses/LICENSE") for name in wheel)
    named = {"phytotron/DATA_LICENCES.md", "phytotron/environments/lettuce/bleiswijk_2014.md", "phytotron/py.typed"}
    assert named <= set(wheel)
    kinds = {Path(name).suffix for name in wheel if name.startswith("phytotron/")}
    known = {".py", ".npz", ".json", ".jsonl", ".toml", ".md", ".safetensors", ".css", ".js", ".html", ".typed"}
    assert kinds <= known | {".csv", ".gz", ".LICENSE", ""}, kinds  # the last are a log, and licences beside data
    assert not [name for name in wheel if "__pycache__" in name or name.endswith(".pth")]


@pytest.mark.slow
def test_the_sdist_holds_what_is_needed_to_build_and_test(packages: Any) -> None:
    _, sdist = packages
    tops = {name.partition("/")[0] for name in sdist}
    known = {"src", "tests", "docs", "benchmarks", "examples"}
    assert known <= tops and {"LICENSE", "SECURITY.md", "README.md", "pyproject.toml", "PKG-INFO"} <= set(sdist)
    assert not [name for name in sdist if re.search(r"\.venv|__pycache__|\.pytest_cache|shared/|\.git/", name)]


def test_every_file_of_data_has_a_licence() -> None:
    said = (SOURCE / "DATA_LICENCES.md").read_text(encoding="utf-8")
    patterns = [
        each for cell in re.findall(r"^\| (`.*?) \|", said, re.MULTILINE) for each in re.findall(r"`(.*?)`", cell)
    ]
    data = [
        path.relative_to(SOURCE)
        for kind in ("npz", "safetensors", "toml", "json")
        for path in SOURCE.rglob(f"*.{kind}")
    ]
    of_others = [path for path in data if "presets" not in path.parts]  # those are our own
    for path in of_others:
        known = [each for each in patterns if path.match(each) or any(parent.match(each) for parent in path.parents)]
        assert known, f"{path} is not in DATA_LICENCES.md"
