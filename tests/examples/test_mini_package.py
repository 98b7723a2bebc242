"""A package that is installed beside Phytotron adds to every command and to Gymnasium by its entry points alone."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "examples" / "mini_package"
TRAY, WHEAT = "outside/SeedTray-v0", "phytotron/WheatNitrogen-v0"
COMMANDS = """
import json, sys
from phytotron.cli import app
for each in json.loads(sys.argv[1]):
    app(each, standalone_mode=False)
"""
IMPORTS = (
    ("import gymnasium, phytotron", TRAY),
    ("import phytotron, gymnasium", TRAY),
    ("import gymnasium", f"phytotron:{TRAY}"),
)
EPISODE = """
env.reset(seed=0)
ends = [env.step(env.action_space.sample())[3] for _ in range(3)]
assert ends == [False, False, True], ends
"""
SMALL = ["--set", "num_envs=4", "--set", "rollout=30", "--set", "minibatch=60", "--set", "epochs=1"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the package is installed."""
    target = tmp_path_factory.mktemp("site")
    if importlib.util.find_spec("hatchling"):
        source = shutil.copytree(PACKAGE, tmp_path_factory.mktemp("source") / "mini_package")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
        subprocess.run([*pip, "--target", str(target), str(source)], check=True, timeout=120)
    else:
        install_by_hand(target)
    return target


def install_by_hand(target: Path) -> None:
    """What an installer leaves: the modules, and a folder that says name, version and entry points."""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    shutil.copytree(PACKAGE / "src", target, dirs_exist_ok=True)
    about = target / f"seed_tray-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = (
        "\n".join([f"[{group}]", *(f"{name} = {value}" for name, value in points.items())])
        for group, points in project["entry-points"].items()
    )
    (about / "entry_points.txt").write_text("\n\n".join(groups))


def python(site: Path, *arguments: str, cwd: Path | None = None) -> str:
    """What a new interpreter prints that has the installed package on its path."""
    path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "160"},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def commands(site: Path, folder: Path, *lines: list[str]) -> list[Any]:
    """What some commands print as JSON, one after the other in one interpreter."""
    printed = python(site, "-c", COMMANDS, json.dumps([[*line, "--json"] for line in lines]), cwd=folder)
    return [json.loads(each) for each in printed.splitlines()]


def test_once_installed_it_is_in_every_command_and_in_gymnasium(site: Path, tmp_path: Path) -> None:
    listed = [line.split(maxsplit=1) for line in python(site, "-m", "phytotron", "envs").splitlines()]
    assert [TRAY, "Grow seedlings with little water: one decision a day."] in listed
    described, checked, trained, ppo, scored, midway, reported, ran, fast = commands(
        site,
        tmp_path,
        ["describe", TRAY],
        ["check", TRAY, "--option", 'seedlings={"growth": 0.3}'],
        ["train", TRAY, "--agent", "cross-entropy", "--steps", "40000", "--eval-every", "20000", "--output", "search"],
        ["train", TRAY, "--steps", "240", *SMALL, "--output", "ppo"],
        ["evaluate", "--policy", "search"],
        ["evaluate", TRAY, "--controller", "midway"],
        ["report", "search", "ppo", "--output", "page"],
        ["run", TRAY, "--output", "episode"],
        ["speed", TRAY, "--num-envs", "4", "--seconds", "0.1"],
    )
    assert described["options"] == {"days": 30, "seedlings": {}}
    assert [each["name"] for each in described["fields"]["observation"]] == ["moisture", "mass", "day"]
    assert checked["passed"]
    assert trained["reason"] == ppo["reason"] == "finished"
    assert scored["measures"]["return"]["mean"] > midway["measures"]["return"]["mean"] + 0.2
    (section,) = reported["sections"]
    assert set(section["controllers"]) == {"CROSS-ENTROPY", "PPO", "refill", "random"}
    assert "Seed tray" in (tmp_path / "page" / "index.html").read_text()
    assert ran["controller"] == "refill" and ran["wilted"] == 0.0
    assert fast["env_steps_per_second"] > 0.0 and fast["precision"] == "float32"
    for imports, id in IMPORTS:  # whichever is imported first
        python(site, "-c", f"{imports}\nenv = gymnasium.make({id!r}, days=3){EPISODE}")


def test_the_split_is_weather_of_environments_on_days(site: Path) -> None:
    made = f"phytotron.make({WHEAT!r}, weather='wheat_decades:test')"
    assert python(site, "-c", f"import phytotron; print({made}.starts().labels)").count("199") == 3


def test_without_installation_a_class_is_found_by_its_module_in_the_working_directory() -> None:
    made = python(Path(), "-P", "-m", "phytotron", "describe", "seed_tray.environment:SeedTray", cwd=PACKAGE / "src")
    assert "Grow seedlings with little water" in made
