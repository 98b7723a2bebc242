"""The page in a real browser: it is played, saved, replayed and read, without an error on the console."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from phytotron.browser.command import write_play
from phytotron.browser.played import Played, read_played, replayed
from phytotron.browser.settings import SETTINGS

pytestmark = pytest.mark.slow
playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed, so that no browser is driven"
)
BROWSER = os.environ.get("PHYTOTRON_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
LETTUCE = "phytotron/Lettuce-v0"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if BROWSER is None:
        pytest.skip("neither chromium nor google-chrome is installed; name one in $PHYTOTRON_BROWSER")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(autouse=True)
def no_page_stays_open(browser: Any) -> Iterator[None]:
    """Close the pages of a test after it: each goes on running its rivals."""
    yield
    for context in browser.contexts:
        context.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder, found = tmp_path_factory.mktemp("pages"), {}
    for id in SETTINGS:
        found[id] = folder / f"{id.rpartition('/')[2]}.html"
        assert write_play(id, {}, (), found[id]) < 3e6
    return found


class Opened:
    """A page of a browser, and what it complained about."""

    def __init__(self, browser: Any, path: Path, size: str = "desktop", scheme: str = "light", part: str = "") -> None:
        width, height = SIZES[size]
        shown = {"width": width, "height": height}
        self.page = browser.new_page(viewport=shown, color_scheme=scheme, has_touch=size == "phone")
        self.complaints: list[str] = []
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type != "log" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._asked(request.url))
        self.page.goto(path.as_uri() + part)
        self.page.wait_for_selector("body.ready", timeout=60_000)

    def _asked(self, url: str) -> None:
        if not url.startswith(("file:", "data:", "blob:")):
            self.complaints.append(f"asked for {url}")

    def finish(self) -> dict[str, float]:
        self.page.click("#finish")
        while not self.page.evaluate("phytotron.page.game.advanceRivals(500)"):
            pass
        self.page.wait_for_timeout(300)
        return self.page.evaluate("phytotron.page.game.run.totals()")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("id", SETTINGS)
def test_every_page_runs_to_its_end_without_complaints(
    browser: Any, pages: dict[str, Path], id: str, size: str
) -> None:
    opened = Opened(browser, pages[id], size)
    totals = opened.finish()
    assert "return" in totals and opened.page.inner_text("#verdict").startswith("The episode is over")
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
    assert opened.complaints == []


@pytest.mark.parametrize("id", SETTINGS)
def test_a_played_episode_has_the_same_return_in_jax(
    browser: Any, pages: dict[str, Path], id: str, tmp_path: Path
) -> None:
    opened = Opened(browser, pages[id])
    page = opened.page
    page.click("#step")
    move_a_control(page)
    for _ in range(5):
        page.click("#step")
    page.evaluate("phytotron.page.game.advance(100)")
    played = saved(page, tmp_path)
    assert len(played.actions) > 20
    assert replayed(played)["return"] == pytest.approx(played.total, rel=1e-6, abs=1e-6)


def move_a_control(page: Any) -> None:
    """Move a slider, or choose a dose, by the keyboard."""
    page.locator("#controls input[type=range], #controls input[type=radio]").nth(1).focus()
    page.keyboard.press("ArrowRight")


def wait_until(page: Any, condition: str) -> None:
    """Ask until a condition holds; Playwright's own waiting evaluates text, which the page's policy does not allow."""
    for _ in range(600):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"not within a minute: {condition}")


def saved(page: Any, folder: Path) -> Played:
    """The episode of a page, through the file that it saves."""
    with page.expect_download() as download:
        page.click("#save")
    download.value.save_as(folder / "played.json")
    return read_played(folder / "played.json")


def test_prices_that_a_person_changes_hold_in_jax_too(browser: Any, pages: dict[str, Path], tmp_path: Path) -> None:
    page = Opened(browser, pages[LETTUCE]).page
    page.evaluate("phytotron.page.game.advance(48)")
    usual = page.evaluate("phytotron.page.game.run.totals().profit")
    page.click("#prices summary")
    page.get_by_label("price of heat").fill("1.5")
    page.get_by_label("price of heat").press("Tab")
    page.evaluate("phytotron.page.game.advance(48)")
    played = saved(page, tmp_path)
    assert played.environment["options"]["prices"] == {"heat": 1.5}
    found = replayed(played)
    assert found["return"] == pytest.approx(played.total, rel=1e-6) and found["profit"] < usual


@pytest.mark.parametrize("id", [id for id, settings in SETTINGS.items() if settings.places])
def test_another_place_holds_in_jax_too(browser: Any, pages: dict[str, Path], id: str, tmp_path: Path) -> None:
    page = Opened(browser, pages[id]).page
    page.select_option("#place", "1")
    move_a_control(page)
    page.evaluate("phytotron.page.game.advance(25)")
    played = saved(page, tmp_path)
    assert replayed(played)["return"] == pytest.approx(played.total, rel=1e-6, abs=1e-6)
    assert played.environment["options"].items() >= SETTINGS[id].places[1].options.items()
    page.select_option("#place", "0")
    move_a_control(page)
    page.evaluate("phytotron.page.game.advance(25)")
    assert page.evaluate("phytotron.page.game.run.totals().return") != played.total


def test_charts_show_what_is_to_come_before_the_first_step(browser: Any, pages: dict[str, Path]) -> None:
    page = Opened(browser, pages[LETTUCE]).page
    wait_until(page, "phytotron.page.game.rivals[0].run.step >= 48")
    page.wait_for_timeout(500)
    lines = page.evaluate("phytotron.page.charts.all.map((each) => each.plot.data[1].filter((y) => y !== null).length)")
    weather, *climate = lines
    assert weather == 48 and climate[0] == 48
    assert page.is_visible("#start") and "press play" in page.inner_text("#standings")


def test_a_page_that_waits_paints_nothing(browser: Any, pages: dict[str, Path]) -> None:
    page = Opened(browser, pages[LETTUCE]).page
    wait_until(page, "phytotron.page.settled")
    page.wait_for_timeout(3000)  # until the picture has come to rest
    page.evaluate(
        "window.changes = 0; new MutationObserver((all) => { window.changes += all.length; })"
        ".observe(document.body, { attributes: true, childList: true, characterData: true, subtree: true })"
    )
    page.wait_for_timeout(500)
    assert page.evaluate("window.changes") == 0


def test_a_link_holds_the_whole_episode(browser: Any, pages: dict[str, Path]) -> None:
    first = Opened(browser, pages[LETTUCE])
    first.page.click("#step")
    first.page.fill("#control-heating", "90")
    first.page.click("#step")
    first.page.select_option("#driver", "rule-based")
    first.page.evaluate("phytotron.page.game.advance(40)")
    first.page.click("#link")
    total, part = first.page.evaluate("[phytotron.page.game.run.totals().return, location.hash]")
    again = Opened(browser, pages[LETTUCE], part=part)
    assert again.page.evaluate("phytotron.page.game.run.step") == 42
    assert again.page.evaluate("phytotron.page.game.run.totals().return") == total
    assert again.page.input_value("#driver") == "rule-based"


def test_the_agent_takes_over_and_a_day_is_taken_back(browser: Any, pages: dict[str, Path]) -> None:
    opened = Opened(browser, pages["phytotron/Greenhouse-v0"])
    page = opened.page
    page.evaluate("phytotron.page.game.advance(300)")
    page.click("text=Hand over to the trained agent")
    page.click("#step")
    taken = page.evaluate("Array.from(phytotron.page.game.run.actions.at(-1))")
    page.click("text=Take over yourself")
    page.evaluate("phytotron.page.game.back(300)")
    page.click("#step")
    assert taken != page.evaluate("Array.from(phytotron.page.game.run.actions.at(-1))")
    page.click("#back")
    assert page.evaluate("phytotron.page.game.run.step") == 301 - 288
    page.evaluate("phytotron.page.game.drivers = phytotron.page.game.drivers.filter(({ name }) => name !== 'agent')")
    page.evaluate("phytotron.page.drive(phytotron.page.game.driver)")
    assert page.inner_text("#takeover") == "Hand over to the rule-based controller"
    assert opened.complaints == []


def test_keys_play_step_and_go_back(browser: Any, pages: dict[str, Path]) -> None:
    page = Opened(browser, pages[LETTUCE]).page
    page.locator("h1").click()
    page.keyboard.press(".")
    assert page.evaluate("phytotron.page.game.run.step") == 1
    page.keyboard.press(" ")
    page.wait_for_timeout(700)
    page.keyboard.press(" ")
    stopped = page.evaluate("phytotron.page.game.run.step")
    assert stopped > 1 and page.inner_text("#play") == "Play"
    page.keyboard.press("b")
    assert page.evaluate("phytotron.page.game.run.step") == max(0, stopped - 48)


def test_every_control_has_a_name(browser: Any, pages: dict[str, Path]) -> None:
    page = Opened(browser, pages["phytotron/Greenhouse-v0"], "phone", "dark").page
    unnamed = page.evaluate(
        "Array.from(document.querySelectorAll('input, select, button'))"
        ".filter((each) => !(each.labels?.length || each.textContent.trim() || each.ariaLabel)).map((each) => each.id)"
    )
    assert unnamed == []
    heights = page.evaluate("Array.from(document.querySelectorAll('button'), (each) => each.offsetHeight)")
    assert min(heights) >= 40
