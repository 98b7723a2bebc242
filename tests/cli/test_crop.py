"""`phytotron crop`, as a user types it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from crop_parameter_files import CABO, INI, PCSE
from typer.testing import CliRunner

from phytotron.cli import app, main
from phytotron.models.crops import CROPS, PLANT_PARAMETERS, load_crop

runner = CliRunner()


def run(*arguments: object) -> str:
    """The output of a command that must succeed."""
    result = runner.invoke(app, ["crop", *map(str, arguments)])
    assert result.exit_code == 0, result.output + str(result.exception)
    return result.stdout


def object_of(*arguments: object) -> Any:
    return json.loads(run(*arguments, "--json"))


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    cabo, ini = tmp_path / "bean.cab", tmp_path / "bean.ini"
    cabo.write_text(CABO, encoding="utf-8")
    ini.write_text(INI, encoding="utf-8")
    return cabo, ini


def test_list_names_the_crops() -> None:
    assert set(object_of("list")["crops"]) == set(CROPS)
    assert "faba_bean" in run("list")


@pytest.mark.parametrize("name", CROPS)
def test_describe_gives_every_parameter_with_unit_and_source(name: str) -> None:
    found = object_of("describe", name)
    assert set(found["plant"]) == set(PLANT_PARAMETERS)
    for each in (*found["plant"].values(), *found["height"].values()):
        assert each["unit"]
        assert each["source"] in found["sources"]


@pytest.mark.parametrize("width", [80, 120])
def test_describe_fits_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phytotron.cli.console.output.width", width)
    text = run("describe", "faba_bean")
    parameters, sources = text.split("sources\n")
    assert all(len(line) <= width for line in parameters.splitlines()[1:])
    assert "RRDMAX" in parameters
    assert "m d-1" in parameters
    assert "lintul5: LINTUL-5 set of faba bean" in sources


def test_import_writes_a_crop_that_loads_and_says_what_came_from_where(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    target = tmp_path / "bean.toml"
    arguments = ("import", *files, "--name", "bean", "--base", "faba_bean", "--output", target)
    found = object_of(*arguments)
    assert load_crop(str(target)).plant.maximum_root_depth == 0.9
    assert found["path"] == str(target)
    assert found["crop"]["plant"]["maximum_root_depth"]["value"] == 0.9
    assert {each["parameter"]: each["kept"] for each in found["conflicts"]}["nitrogen_fixation"].startswith("bean.ini")
    assert {"where": "bean.cab, line 20", "key": "AMAXTB"}.items() <= found["unused"][1].items()
    assert "critical_transpiration" in found["from_base"]
    text = run(*arguments)
    for each in ("conflicts", "not used", "parameters that no file gives", "kept", "bean.ini, line 25", "wrote"):
        assert each in text
    assert "bean: Imported from bean.cab, bean.ini; the rest from faba_bean" in run("describe", target)


def test_shares_of_the_shoot_are_repaired_when_told(tmp_path: Path) -> None:
    path, target = tmp_path / "bean.crop", tmp_path / "bean.toml"
    wrong = PCSE.replace("FLVTB = [0.0, 0.3", "FLVTB = [0.0, 0.6").replace("FSTTB = [0.0, 0.2", "FSTTB = [0.0, 0.4")
    path.write_text(wrong, encoding="utf-8")
    arguments = ["crop", "import", path, "--name", "bean", "--base", "faba_bean", "--output", target]
    refused = runner.invoke(app, [*map(str, arguments)])
    assert "these look like shares of the above-ground part" in str(refused.exception)
    assert not target.exists()
    run(*arguments[1:], "--shares-of-shoot")
    assert float(load_crop(str(target)).plant.stem_share(0.0)) == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("describe", "faba"), "unknown crop 'faba'; did you mean 'faba_bean'?"),
        (("describe", "no.toml"), "no crop file no.toml; give the path of one"),
        (
            ("import", "no.cab", "--name", "a", "--output", "a.toml"),
            "no.cab: cannot be read (No such file or directory)",
        ),
        (
            ("import", "no.cab", "--name", "a", "--output", "a.json"),
            "--output is 'a.json'; expected a name that ends in",
        ),
        (
            ("import", "no.cab", "--name", "a-b", "--output", "a.toml"),
            "the name of the crop is 'a-b'; expected letters",
        ),
    ],
)
def test_mistakes_end_with_code_2_and_a_remedy(
    arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["phytotron", "crop", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert message in capsys.readouterr().err
