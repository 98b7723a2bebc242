"""The page of the demo: whole, self-contained, and about what was simulated."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from phytotron.cli import app
from phytotron.report.page import page, table, write_text


@pytest.fixture(scope="module")
def demo_page(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("demo")
    done = CliRunner().invoke(app, ["demo", "--output", str(folder), "--days", "1"])
    assert done.exit_code == 0, done.output
    assert [path.name for path in folder.iterdir()] == ["index.html"]
    return done.output, (folder / "index.html").read_text(encoding="utf-8")


def test_the_command_ends_by_naming_the_page(demo_page: tuple[str, str]) -> None:
    output, _ = demo_page
    assert re.search(r"Open \S*index\.html", output.replace("\n", "")), output


def test_the_page_stands_alone(demo_page: tuple[str, str]) -> None:
    _, text = demo_page
    assert "<svg" in text and text.rstrip().endswith("</html>")
    assert not re.search(r"""(?:src|href)=["'](?!#)""", text), "nothing is loaded from elsewhere"
    assert "nan" not in text.lower().split("<svg")[0]


def test_a_day_of_march_is_what_the_table_says(demo_page: tuple[str, str]) -> None:
    output, _ = demo_page
    gas = float(re.search(r"^gas\s+([\d.]+)", output, re.M).group(1))  # type: ignore[union-attr]
    assert 0.05 < gas < 0.36  # a cold day; the boiler cannot burn more than 130 W m-2 of gas


def test_what_users_name_is_escaped() -> None:
    assert "<b>" not in page("<b>", [("<b>", "")], "<b>") and "<b>" not in table([("<b>", "<b>", "<b>")])


def test_a_page_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "new" / "page.html"
    write_text(target, "first")

    def fail(self: Path, text: str, encoding: str) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "write_text", fail)
    with pytest.raises(OSError, match="disk full"):
        write_text(target, "second")
    monkeypatch.undo()
    assert target.read_text(encoding="utf-8") == "first"
