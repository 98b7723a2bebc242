"""Whatever happens while a file is replaced, it is afterwards what it was or what it should be, and can be written."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest
import weather_files
from command_line import COMMANDS
from faults import REFUSALS, Died, Fault, die, injected, operations
from greenhouse_logs import made_log
from robustness_records import record
from toy_environments import RuledAiming

from phytotron.agents.networks import mlp
from phytotron.agents.normalisation import Moments
from phytotron.agents.policy import Policy
from phytotron.agents.policy_files import load_policy, read_about, save_policy
from phytotron.calibration.ensemble import read_ensemble, write_ensemble
from phytotron.calibration.progress import Progress
from phytotron.calibration.twin_file import published_twin, write_twin
from phytotron.core.errors import PhytotronError
from phytotron.core.fields import Quantity
from phytotron.core.files import write_text
from phytotron.core.spaces import Box
from phytotron.episodes.trajectories import Column, Trajectories
from phytotron.episodes.trajectory_files import write_csv, write_parquet
from phytotron.evaluation.scores import Scores, load_scores, save_scores
from phytotron.models.crops.crop_file import describe_crop, read_crop_file, write_crop_file
from phytotron.models.greenlight.greenhouse_file import read_greenhouse
from phytotron.planning.plans import Plan, load_plans, save_plans
from phytotron.planning.tuned_rules import TunedSettings, load_tuned, save_tuned
from phytotron.training.checkpoints import load_checkpoint, save_checkpoint
from phytotron.training.sweep.plan import write_results
from phytotron.weather.sources import read_weather, write_weather

SPACE = Box(np.array([-1.0]), np.array([9.0]))
RULES = RuledAiming().tunable_rules
SEARCH = {"coordinates": [0.5], "damping": 0.01, "steps": 0, "ended": False}
TWIN = published_twin(made_log())
TWINS = [dataclasses.replace(TWIN, parameters=dataclasses.replace(TWIN.parameters, leakage=n * 1e-5)) for n in (1, 2)]


COLUMN = Column(Quantity("mass", "m", "kg", "made up"), "state")


class Writer(NamedTuple):
    """Writes one of two versions of something into a folder, and reads which of them is there."""

    write: Callable[[Path, int], Any]
    read: Callable[[Path], int]
    fault_points: int = 4  # at least


def policy(version: int) -> Policy:
    moments = Moments.of_nothing((3,))
    return Policy(
        mlp(jax.random.key(version), 3, (2,), 2, "silu"), moments, np.zeros(2, np.float32), None, "categorical", 9.0
    )


def scores(version: int) -> Scores:
    """As many as in the other version, so that files of both could be taken for one."""
    values = {name: np.full((1, 2), float(version)) for name in ("return", "length")}
    return Scores((f"a{version}", f"b{version}"), (), values, {"return": "€", "length": "-"}, {"version": version})


def scored(folder: Path) -> int:
    found = load_scores(folder / "scores")
    version = int(found.values["return"][0, 0])
    assert found.labels == (f"a{version}", f"b{version}") and found.about["version"] == version
    return version


def plans(version: int) -> dict[str, Plan]:
    return {
        f"window {n}": Plan(np.full((6, 1), 1.0 + version, np.float32), float(n), (0.0,)) for n in range(version + 1)
    }


def planned(folder: Path) -> int:
    return len(load_plans(folder / "plans.npz", SPACE)) - 1


def tuned(version: int) -> TunedSettings:
    return TunedSettings("test/RuledAiming-v0", {}, "return", {"gain": float(version), "offset": 0.0})


def twin(folder: Path, version: int) -> None:
    write_twin(folder, TWINS[version], "katzin2020_144m2", {"log": "made"}, {})


def crop(folder: Path, version: int) -> None:
    write_crop_file(dataclasses.replace(describe_crop("faba_bean"), description=str(version)), folder / "crop.toml")


def result(version: int) -> dict[str, Any]:
    return {"trial": "x", "changes": {"epochs": version}, "return": 1.0, "measures": {}, "steps": 5}


def trajectories(version: int) -> Trajectories:
    """Two steps of one episode, or three."""
    shape = (1, 1, 2 + version)
    times = np.arange(shape[-1]).astype("datetime64[s]").reshape(shape)
    return Trajectories((COLUMN,), ("a",), times, np.ones(shape, bool), {"mass": np.ones(shape)})


def csv_rows(folder: Path) -> int:
    return len((folder / "run.csv").read_text().splitlines()) - 2


def parquet_rows(folder: Path) -> int:
    parquet = pytest.importorskip("pyarrow.parquet")
    return parquet.read_table(folder / "run.parquet").num_rows


def members(folder: Path) -> int:
    found = read_ensemble(str(folder))
    assert found is not None
    return len(found["leakage"])


def checkpoint(folder: Path) -> int:
    template = {"count": jax.numpy.zeros((), jax.numpy.int32)}
    found = load_checkpoint(folder, template, lambda text: None)
    assert found is not None and int(found[0]["count"]) == found[1]["step"]
    return int(found[0]["count"])


WRITERS = {
    "checkpoint": Writer(
        lambda folder, n: save_checkpoint(folder, n, {"count": jax.numpy.asarray(n, jax.numpy.int32)}, {}),
        checkpoint,
        10,
    ),
    "score": Writer(lambda folder, n: save_scores(folder / "scores", scores(n)), scored),
    "report": Writer(
        lambda folder, n: write_text(folder / "index.html", f"page {n}"),
        lambda folder: int((folder / "index.html").read_text().split()[1]),
        3,
    ),
    "sweep": Writer(
        lambda folder, n: write_results(folder, [result(n)]),
        lambda folder: json.loads((folder / "results.json").read_text())[0]["changes"]["epochs"],
        8,
    ),
    "calibration": Writer(twin, lambda folder: round(read_greenhouse(folder).leakage / 1e-5) - 1, 3),
    "progress of calibration": Writer(
        lambda folder, n: Progress(folder, {}).keep([SEARCH | {"steps": n}]),
        lambda folder: Progress(folder, {}).kept()[0]["steps"],
    ),
    "ensemble": Writer(
        lambda folder, n: write_ensemble(folder, {"leakage": [1e-5] * (n + 1)}), lambda folder: members(folder) - 1, 3
    ),
    "trajectories": Writer(
        lambda folder, n: write_csv(trajectories(n), folder / "run.csv"), lambda folder: csv_rows(folder) - 2, 3
    ),
    "trajectories in Parquet": Writer(
        lambda folder, n: write_parquet(trajectories(n), folder / "run.parquet"),
        lambda folder: parquet_rows(folder) - 2,
        3,
    ),
    "plans": Writer(lambda folder, n: save_plans(folder / "plans.npz", plans(n), SPACE), planned),
    "tuned rules": Writer(
        lambda folder, n: save_tuned(folder / "tuned.json", tuned(n)),
        lambda folder: int(load_tuned(folder / "tuned.json", RULES).settings["gain"]),
        3,
    ),
    "crop": Writer(crop, lambda folder: int(read_crop_file(folder / "crop.toml").description), 3),
    "weather": Writer(
        lambda folder, n: write_weather(weather_files.table(rows=24 + n), folder / "weather.csv"),
        lambda folder: len(read_weather(folder / "weather.csv")["air_temperature"]) - 24,
        5,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_is_being_replaced_is_the_old_one_or_the_new_one(name: str, tmp_path: Path) -> None:
    writer, tried = WRITERS[name], 0
    whole = tmp_path / "whole"
    writer.write(whole, 0)
    steps = len(operations(whole, lambda: writer.write(whole, 1)))
    assert steps >= writer.fault_points and writer.read(whole) == 1
    refusals = list(REFUSALS)
    for at in range(steps):
        for kind in ("killed", "torn", refusals[at % len(refusals)]):
            folder = tmp_path / f"{kind} {at}"
            writer.write(folder, 0)
            if kind in REFUSALS:
                with injected(Fault(folder, at, kind)):
                    try:
                        writer.write(folder, 1)
                    except PhytotronError as error:
                        assert str(folder) in str(error)  # names the file; where it is of no weight, there is no error
                assert not list(folder.rglob("*.part"))
            else:
                die(folder, lambda folder=folder: writer.write(folder, 1), at, kind)
            assert writer.read(folder) in (0, 1), f"{kind} at {at}"
            writer.write(folder, 1)
            assert writer.read(folder) == 1
            tried += 1
    assert tried >= 10
    record("faults", f"writing of {name}", tried, 0)


# What each command leaves, by the writers above; a page, a figure and the result of a paper are written as a report is.
WRITES = {
    "train": {"checkpoint", "policy"}, "sweep": {"checkpoint", "policy", "sweep"}, "oracle": {"plans"},
    "tune": {"tuned rules"}, "evaluate": {"score", "trajectories", "trajectories in Parquet"},
    "run": {"report", "trajectories", "trajectories in Parquet"}, "play": {"report"}, "report": {"report"},
    "reproduce": {"report"}, "demo": {"checkpoint", "policy", "report"}, "replay": {"report"},
    "calibrate": {"calibration", "progress of calibration", "ensemble", "report"}, "crop import": {"crop"},
    "crop calibrate": {"crop"}, "log weather": {"weather"}, "weather plot": {"report"},
    **{f"weather {each}": {"weather"} for each in ("import", "generate")},
    **{f"weather fetch {each}": {"weather"} for each in ("knmi", "power", "open-meteo")},
}  # fmt: skip
READS = {
    "envs", "describe", "check", "verify", "speed", "weather list", "weather variables", "weather check", "crop list",
    "crop describe", "log check",
}  # fmt: skip


def test_every_command_that_writes_is_among_those_that_are_disturbed() -> None:
    assert set().union(*WRITES.values()) == {*WRITERS, "policy"}
    assert set(COMMANDS) - READS <= set(WRITES)


def test_a_policy_that_is_being_replaced_is_never_taken_for_another(tmp_path: Path) -> None:
    """Its two files may not belong together for a moment, which is said; `--resume` writes both again."""

    def write(folder: Path, version: int) -> None:
        save_policy(folder / "seed_0", known[version], {"training": {"version": version}})

    known = [policy(0), policy(1)]
    write(tmp_path / "whole", 0)
    steps = len(operations(tmp_path / "whole", lambda: write(tmp_path / "whole", 1)))
    for at in range(steps):
        folder = tmp_path / str(at)
        write(folder, 0)
        die(folder, lambda folder=folder: write(folder, 1), at, "torn")
        try:
            found = load_policy(folder / "seed_0")
        except PhytotronError as error:
            assert "altered, or not wholly written" in str(error)
        else:
            version = read_about(folder / "seed_0")["training"]["version"]
            pairs = zip(*map(jax.tree.leaves, (found, known[version])), strict=True)
            assert all(np.array_equal(one, other) for one, other in pairs)
        write(folder, 1)
        load_policy(folder / "seed_0")
    record("faults", "writing of policy", steps, 0)


def test_the_dead_clean_nothing_up(tmp_path: Path) -> None:
    """What the tests above rest on: after a fault nothing more happens to files."""
    with pytest.raises(Died), injected(Fault(tmp_path, 2, "torn")):
        write_text(tmp_path / "folder" / "page.html", "0123456789")
    (left,) = (tmp_path / "folder").iterdir()
    assert left.name.endswith(".part") and left.read_text() == "01234"
