"""The page is one file without a network, and what it saves is replayed to the same return."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import jax
import numpy as np
import pytest
from javascript import needs_node
from toy_environments import Corridor
from typer.testing import CliRunner

import phytotron
from phytotron.browser.command import chosen_settings, write_play
from phytotron.browser.content import Content, _about
from phytotron.browser.numbers import Archive, smallest
from phytotron.browser.page import page_text
from phytotron.browser.played import FORMAT, read_played, replayed
from phytotron.browser.rivals import agent_names
from phytotron.browser.settings import PICTURES, SETTINGS, Settings, settings_of
from phytotron.cli import app
from phytotron.core.errors import DataFileError, PhytotronError, UnknownNameError
from phytotron.episodes.engine import windows
from phytotron.papers import trained

STATIC = Path(phytotron.__file__).parent / "browser" / "static"
ENVIRONMENT = {"id": "phytotron/Lettuce-v0", "options": {"episode_days": 1.0, "precision": "float64"}}


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A file as the page saves it: half a day of lettuce, heated more and more."""
    actions = np.tile([0.0, 0.1, 0.3], (24, 1)).tolist()
    said = {"format": FORMAT, "environment": ENVIRONMENT, "start": "2014-02-09", "return": -1.0, "actions": actions}
    path = tmp_path / "played.json"
    path.write_text(json.dumps(said))
    return path


def test_the_page_needs_nothing_but_itself(lettuce_content: Content) -> None:
    text = page_text(lettuce_content)
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", text)
    assert "default-src &#x27;none&#x27;" in text and "unsafe" not in text.partition("<title>")[0]
    assert "@" + "SCRIPT@" not in text and "Leon Sorokin" in text
    assert len(text.encode()) < 3e6


def test_the_page_says_what_it_shows(lettuce_content: Content) -> None:
    said = lettuce_content.data
    assert [each["label"] for each in said["places"][0]["windows"]] == ["2014-02-09", "2014-03-31"]
    assert [each["name"] for each in said["controls"]] == ["co2_supply", "ventilation", "heating"]
    assert [(each["name"], each["function"]) for each in said["rivals"]] == [
        ("rule-based", "rival0"),
        ("constant", "rival1"),
    ]
    assert [(each["name"], each["value"]) for each in said["prices"]] == [
        ("lettuce", 22.285125),
        ("heat", 0.1281),
        ("co2", 0.1906),
    ]
    assert all(f"function {name}(" in lettuce_content.script for name in ("step", "act", "rival0", "rival1"))


@pytest.mark.slow
def test_settings_name_what_their_tasks_have() -> None:
    for id, settings in SETTINGS.items():
        env = phytotron.make(settings.task or id, **settings.options)
        channels = {each.name for each in env.channels}
        assert {part.channel for part in settings.parts.values()} <= channels, id
        assert set(settings.charts) <= channels, id
        assert set(settings.controls) <= {each.name for each in env.scheduling.quantities}, id
        assert all(any(label.endswith(each) for label in windows(env).labels) for each in settings.windows), id


def test_agents_that_come_with_the_package_are_found_by_the_id_of_their_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = json.loads((trained.COMMITTED / "cropgym" / "ppo" / "config.json").read_text(encoding="utf-8"))
    run = tmp_path / "lettuce" / "gradients"
    run.mkdir(parents=True)
    about = config["environment"] | {"id": ENVIRONMENT["id"]}
    (run / "config.json").write_text(json.dumps(config | {"environment": about}), encoding="utf-8")
    monkeypatch.setattr(trained, "COMMITTED", tmp_path)
    assert agent_names(Settings(), phytotron.make(ENVIRONMENT["id"])) == ["lettuce/gradients"]
    assert agent_names(Settings(), phytotron.make("phytotron/WheatNitrogen-v0")) == []


def test_options_of_the_user_change_the_variant_and_other_weather_takes_its_place() -> None:
    changed = chosen_settings("phytotron/Greenhouse-v0", {"reward": "profit"})
    assert changed.task is not None and changed.options["reward"] == "profit" and changed.windows
    assert changed.variant == ""
    same = chosen_settings("phytotron/Greenhouse-v0", {"reward": "additive", "episode_days": 2.0})
    assert same.variant == settings_of("phytotron/Greenhouse-v0").variant != ""
    other = chosen_settings("phytotron/Greenhouse-v0", {"weather": "schiphol"})
    assert other.task is None and other.windows == () and dict(other.options) == {"weather": "schiphol"}


def test_pictures_are_those_that_pages_have() -> None:
    (known,) = re.findall(r"const PICTURES = \{ (.*?) \};", (STATIC / "field.js").read_text(encoding="utf-8"))
    assert tuple(each.partition(":")[0] for each in known.split(", ")) == PICTURES
    with pytest.raises(UnknownNameError, match="picture of a page 'feild'; did you mean 'field'"):
        Settings(picture="feild")


def test_a_new_version_of_a_task_is_shown_as_the_one_before() -> None:
    assert settings_of("phytotron/WheatNitrogen-v7") is SETTINGS["phytotron/WheatNitrogen-v0"]
    assert settings_of("phytotron/Orchard-v0") == Settings()


def test_a_page_has_the_settings_that_are_registered_for_its_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SETTINGS, "_entries", dict(SETTINGS._entries))
    SETTINGS.register("outside/Orchard-v0", Settings(charts=("fruit",)))
    assert settings_of("outside/Orchard-v0").charts == ("fruit",)


def test_what_is_no_settings_of_a_page_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SETTINGS, "_entries", dict(SETTINGS._entries))
    SETTINGS.register("outside/Orchard-v0", "math:pi")
    words = r"^the page 'outside/Orchard-v0' \(math:pi\) is an object of the type float; expected a .*\.Settings$"
    with pytest.raises(PhytotronError, match=words):
        settings_of("outside/Orchard-v0")


def test_options_of_a_greenhouse_leave_no_other_to_choose() -> None:
    assert len(chosen_settings("phytotron/Greenhouse-v0", {"reward": "profit"}).places) > 1
    assert chosen_settings("phytotron/Greenhouse-v0", {"parameter_overrides": {"leakage": 1e-4}}).places == ()


def test_numbers_are_held_exactly_in_little_room() -> None:
    for letter, values in {"u": [0, 65535], "e": [0.5, -3.0], "f": [0.1, 1e9], "d": [0.1, np.nan]}.items():
        exact = np.array(values, np.float32 if letter in "f" else np.float64).astype(np.float64)
        assert smallest(exact)[0] == letter
    archive = Archive()
    assert archive.add([1.0, 2.0, 3.0]) == ("u", 0, 3) and archive.add([0.1]) == ("d", 8, 1)
    assert archive.add([1.0, 2.0, 3.0]) == ("u", 0, 3)  # what is there already takes no room


def test_a_played_episode_is_replayed_in_jax(played: Path) -> None:
    found = replayed(read_played(played))
    env = phytotron.make(ENVIRONMENT["id"], **ENVIRONMENT["options"])
    _, state = env.reset(jax.random.key(0))
    total = 0.0
    for _ in range(24):
        _, state, reward, *_ = env.step(jax.random.key(0), state, np.array([0.0, 0.1, 0.3]))
        total += float(reward)
    assert found["length"] == 24 and found["return"] == pytest.approx(total, rel=1e-9)


def test_evaluate_says_what_a_played_episode_comes_to(played: Path) -> None:
    done = CliRunner().invoke(app, ["evaluate", "--played", str(played), "--json"])
    found = json.loads(done.stdout)
    assert found["start"] == "2014-02-09" and found["measures"]["length"] == 24.0
    assert found["difference"] == pytest.approx(found["measures"]["return"] + 1.0)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"format": "other"}, "its format is 'other'"),
        ({"actions": []}, "its actions or its return are missing"),
        ({"actions": 0.5}, "its actions or its return are missing"),
        ({"environment": {"id": "phytotron/Lettuce-v0"}}, "'options'"),
        ({"return": "much"}, "could not convert"),
    ],
)
def test_a_file_that_is_no_played_episode_is_refused(played: Path, change: dict[str, object], problem: str) -> None:
    played.write_text(json.dumps(json.loads(played.read_text()) | change))
    with pytest.raises(DataFileError, match=problem):
        read_played(played)


def test_played_actions_of_another_size_are_refused(played: Path) -> None:
    played.write_text(json.dumps(json.loads(played.read_text()) | {"actions": [[0.0, 0.1]] * 24}))
    with pytest.raises(
        PhytotronError, match=r"^a played action has 2 numbers, and one of phytotron/Lettuce-v0 3; save"
    ):
        replayed(read_played(played))


def test_a_page_that_is_too_large_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phytotron.browser.command.LARGEST", 1000)
    with pytest.raises(ValueError, match="choose fewer windows with --start"):
        write_play("phytotron/Lettuce-v0", {"episode_days": 1.0}, (), tmp_path / "page.html")
    assert not list(tmp_path.iterdir())


def test_play_writes_a_page_of_a_task_of_ones_own_too(tmp_path: Path) -> None:
    words = ["play", "toy_environments:Corridor", "--output", str(tmp_path / "page.html"), "--no-open"]
    done = CliRunner().invoke(app, words)
    assert f"Open {tmp_path / 'page.html'} (0.1" in done.stdout, done.output
    said = json.loads(re.findall(r'id="content">(.*?)</script>', (tmp_path / "page.html").read_text(), re.DOTALL)[0])
    assert said["picture"] == "none" and said["rivals"][0]["name"] == "random" and said["rivals"][0]["outcomes"]
    assert said["decides"] and said["left_alone"] == "lowest"


def test_the_number_of_steps_may_be_of_numpy() -> None:
    class Computed(Corridor):
        episode_steps = np.int64(20)  # type: ignore[assignment]

    assert json.loads(json.dumps(_about(Computed(), Settings())))["steps"] == 20


@needs_node
@pytest.mark.parametrize(
    ("left_alone", "setting", "timeline", "words"),
    [
        ("ruled", "null", "{}", "while the days pass; what you leave on auto, a grower's rules decide. The same days"),
        ("ruled", "20.0", "{}", "while the days pass. The same days"),
        ("held", "null", "{}", "while the days pass; what you leave alone stays as it is. The same days"),
        ("lowest", "null", "null", "while the steps pass; what you leave alone is at its lowest. The same steps"),
    ],
)
def test_the_page_says_what_becomes_of_controls_that_are_left_alone(
    left_alone: str, setting: str, timeline: str, words: str, tmp_path: Path
) -> None:
    spec = f'{{picture: "none", timeline: {timeline}, left_alone: "{left_alone}", controls: [{{setting: {setting}}}]}}'
    script = (STATIC / "words.js").read_text(encoding="utf-8")
    asked = f'console.log(introduction({{spec: {spec}, rivals: [{{label: "random"}}]}}));'
    (tmp_path / "words.mjs").write_text(f"{script}\n{asked}", encoding="utf-8")
    said = subprocess.run(["node", str(tmp_path / "words.mjs")], capture_output=True, text=True, check=True).stdout
    assert words in said


@needs_node
def test_a_page_without_control_channels_has_no_chart_of_them_and_colours_begin_anew_after_the_last(
    tmp_path: Path,
) -> None:
    drawn = "const drawn = []; const document = { createElementNS: () => ({}) }; const change = () => {};"
    shape = "const shape = (_, { stroke }) => drawn.push(stroke);"
    asked = "swatch(0); swatch(COLOURS.length); const controls = shownControls({ controls: [], channels: [] });"
    asked += "console.log(JSON.stringify([controls, drawn]));"
    scripts = [(STATIC / f"{name}.js").read_text(encoding="utf-8") for name in ("charts", "scores")]
    (tmp_path / "charts.mjs").write_text("\n".join([drawn, shape, *scripts, asked]), encoding="utf-8")
    said = subprocess.run(["node", str(tmp_path / "charts.mjs")], capture_output=True, text=True, check=True).stdout
    controls, (first, again) = json.loads(said)
    assert controls is None and first == again


@needs_node
def test_scripts_of_the_page_are_javascript(lettuce_content: Content, tmp_path: Path) -> None:
    script = page_text(lettuce_content).partition("<script>")[2].rpartition("</script>")[0]
    (tmp_path / "page.js").write_text(script)
    assert subprocess.run(["node", "--check", str(tmp_path / "page.js")], check=False).returncode == 0
