"""Every Python snippet of README and docs runs as it stands, in an empty folder that holds the files it names."""

from __future__ import annotations

import ast
import importlib.util
import re
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from registering import registered
from untrained_runs import untrained_run
from weather_files import epw, knmi_hourly

from phytotron.core.registry import ENVIRONMENTS
from phytotron.environments.wheat import WheatNitrogen
from phytotron.evaluation.scores import evaluate_many, save_scores
from phytotron.models.crops import describe_crop, write_crop_file

pytestmark = [  # PCSE's own
    pytest.mark.filterwarnings("ignore:Passing unrecoginized arguments:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning"),
]

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))  # of which the site runs the cells
MINI_PACKAGE = ROOT / "examples" / "mini_package" / "src"
WHEAT, SETPOINT = "phytotron/WheatNitrogen-v0", "phytotron/GreenhouseSetpoint-v0"
TRAY = "outside/SeedTray-v0"

# What a snippet needs besides what it imports itself.
NEEDED = {"to_frame": "pandas", "to_xarray": "xarray", ".plot": "matplotlib", "adapters.pettingzoo": "pettingzoo"}
NEEDED |= {"adapters.sb3": "stable_baselines3", "simulators.pcse": "pcse", "adapters.rllib": "ray"}


class Snippet(NamedTuple):
    """A block of Python of a page."""

    page: str
    number: int  # in the page, from 1
    line: int
    text: str


def snippets() -> list[Snippet]:
    found = []
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *TUTORIALS):
        text = path.read_text(encoding="utf-8")
        blocks = re.finditer(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        for number, block in enumerate(blocks, 1):
            found.append(Snippet(path.name, number, text[: block.start(1)].count("\n"), block.group(1)))
    return found


# Pages with snippets that take more than some seconds, most of them for compiling, and single such snippets.
SLOW: set[Any] = {
    ("start.md", 3),
    ("start.md", 4),
    "intercrop.md",
    "intercrop_field.md",
    "lintul3.md",
    "sb3.md",
    "training.md",
    "wheat.md",
}
SLOW |= {"weather.md", "weather_generator.md", ("extending.md", 1), ("extending.md", 4), ("greenlightplus.md", 1)}
SLOW |= {("rllib.md", 2), ("running.md", 2), ("running.md", 4), "sb3_and_rllib.md"}
SHORTENED = {("sb3.md", 1): ("learn(20_000)", "learn(2_048)")}


def lupin(request: pytest.FixtureRequest) -> None:
    write_crop_file(describe_crop("faba_bean"), Path("lupin.toml"))


def station(name: str, days: int, first: date) -> Callable[[Any], None]:
    def written(request: pytest.FixtureRequest) -> None:
        with zipfile.ZipFile(name, "w") as file:
            file.writestr(name.replace(".zip", ".txt"), knmi_hourly(days, first))

    return written


def year_of_weather(request: pytest.FixtureRequest) -> None:
    Path("NLD_Amsterdam.062400_IWEC.epw").write_text(epw(), encoding="utf-8")


def trained_run(request: pytest.FixtureRequest) -> None:
    folder = untrained_run(Path("runs/wheat"), WHEAT, (0,))
    env = WheatNitrogen(weather="embedded_wheat:test")
    from phytotron.agents.policy_files import load_policy

    scores = evaluate_many(env, [load_policy(folder / "policies" / "seed_0")])
    save_scores(folder / "evaluations" / "embedded_wheat_test", scores)


def trained_by_rllib(request: pytest.FixtureRequest) -> None:
    from phytotron.training.backends.rllib.train import train_rllib
    from phytotron.training.setup import prepare

    small = {"num_envs": 4, "batch": 96, "minibatch": 48, "epochs": 2, "hidden": (16,), "lstm_size": 16}
    options = {"episode_days": 0.25, "hold": 300}  # six steps
    asked: dict[str, Any] = {"preset": "greenlightplus", "steps": 96, "settings": small, "options": options}
    train_rllib(prepare(SETPOINT, backend="rllib", **asked), Path("runs/lstm"))


def fetched(request: pytest.FixtureRequest) -> None:
    from phytotron.weather import fetching

    def without_network(station: int, years: range) -> list[SimpleNamespace]:
        return [SimpleNamespace(path=Path(f"{station}_{year}.csv"), origin="cached", complete=True) for year in years]

    request.getfixturevalue("monkeypatch").setattr(fetching, "fetch_knmi", without_network)


def tray(request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("monkeypatch").syspath_prepend(str(MINI_PACKAGE))


def known_tray(request: pytest.FixtureRequest) -> None:
    tray(request)
    known = registered(TRAY, "seed_tray.environment:SeedTray")
    known.__enter__()
    request.addfinalizer(lambda: known.__exit__(None, None, None))


def tray_to_register(request: pytest.FixtureRequest) -> None:
    tray(request)
    request.addfinalizer(lambda: ENVIRONMENTS._entries.pop(TRAY, None))


PREPARED: dict[tuple[str, int], Callable[[pytest.FixtureRequest], None]] = {
    ("crops.md", 1): lupin,
    ("extending.md", 1): tray,
    ("extending.md", 2): tray_to_register,
    ("extending.md", 3): known_tray,
    ("extending.md", 4): lupin,
    ("greenlightplus.md", 1): year_of_weather,
    ("rllib.md", 2): trained_by_rllib,
    ("training.md", 1): trained_run,
    ("weather.md", 1): station("uurgeg_240_2011-2020.zip", 3, date(2011, 1, 1)),
    ("weather_fetching.md", 1): fetched,
    ("weather_formats.md", 1): station("uurgeg_240_2001-2010.zip", 1096, date(2008, 1, 1)),
}


def parameters() -> list[Any]:
    found = []
    for each in snippets():
        slow = each.page in SLOW or (each.page, each.number) in SLOW
        marks = [pytest.mark.slow] if slow else []
        if "rllib" in each.page:
            marks.append(pytest.mark.filterwarnings("ignore"))  # of Ray, which warns of its own future
        found.append(pytest.param(each, id=f"{each.page}:{each.line}", marks=marks))
    return found


@pytest.mark.parametrize("snippet", parameters())
def test_the_snippet_runs(
    snippet: Snippet, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = (snippet.page, snippet.number)
    for package in missing(snippet.text):
        pytest.skip(f"{package} is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    PREPARED.get(place, lambda request: None)(request)
    text = snippet.text.replace(*SHORTENED.get(place, ("", "")))
    exec(compile(text, f"{snippet.page}:{snippet.line}", "exec"), {"__name__": "snippet"})
    if ".plot" in snippet.text:
        from matplotlib import pyplot

        pyplot.close("all")


def missing(text: str) -> list[str]:
    """Packages that a snippet needs and that are not installed."""
    wanted = {package for word, package in NEEDED.items() if word in text}
    for node in ast.walk(ast.parse(text)):
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
        wanted |= {name.partition(".")[0] for name in names} - {"seed_tray"}
    return sorted(each for each in wanted if importlib.util.find_spec(each) is None)


def test_snippets_are_found() -> None:
    found = snippets()
    assert {"README.md", "lintul3.md", "wheat.md", "running.md"} <= {each.page for each in found} and len(found) > 20
    assert set(PREPARED) <= {(each.page, each.number) for each in found}
