"""Every reader of files, with a whole file of each kind and how that is damaged."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import crop_parameter_files
import fuzz_mutations as of
import fuzz_weather
import jax
import jax.numpy as jnp
import numpy as np
from greenhouse_logs import made_log, write_compartment
from toy_environments import RuledAiming
from training_runs import small_config

from phytotron.agents.networks import mlp
from phytotron.agents.normalisation import Moments
from phytotron.agents.policy import Policy
from phytotron.agents.policy_files import load_policy, save_policy
from phytotron.browser.played import read_played
from phytotron.calibration.ensemble import read_ensemble, write_ensemble
from phytotron.calibration.progress import Progress
from phytotron.calibration.twin_file import load_twin, published_twin, write_twin
from phytotron.cli.policies import find_policies
from phytotron.cli.task_options import from_json, price_option
from phytotron.controllers.schedule_file import read_schedule
from phytotron.core import files
from phytotron.core.parameter_files import options_from_file
from phytotron.core.registry import option_names
from phytotron.core.spaces import Box
from phytotron.crop_files import import_crop, read_source
from phytotron.crop_files.interpreting import interpreted
from phytotron.environments.wheat import WheatNitrogen
from phytotron.evaluation.scores import Scores, load_scores, save_scores
from phytotron.logs.compartments import read_compartment
from phytotron.logs.csv_log import read_csv_log
from phytotron.models.crops.crop_file import CROPS, read_crop_file
from phytotron.planning.plans import Plan, load_plans, save_plans
from phytotron.planning.tuned_rules import TunedSettings, load_tuned, save_tuned
from phytotron.report.gathering import read_runs
from phytotron.training.checkpoints import _seal, load_checkpoint, save_checkpoint
from phytotron.training.folder import RunFolder
from phytotron.verification.archives import Arrays
from phytotron.weather.sources import read_weather
from phytotron.weather.sources.mapping_file import read_mapping

SPACE = Box(np.array([-1.0]), np.array([9.0]))
STATE = {"count": jnp.asarray(3, jnp.int32), "weights": jnp.ones(4, jnp.float32)}
GREENHOUSE = "phytotron/Greenhouse-v0"
SEASON = "Wageningen (Haarweg) 1977"
LOG = "time,T,RH\n2022-02-01T00:00,64.4,0.7\n2022-02-01T00:05,64.5,0.71\n2022-02-01T00:10,64.6,\n"
LOG_MAPPING = """
[log]
name = "house 3"
source = "our climate computer"
licence = "own data"
latitude = 52.0
longitude = 4.5
utc_offset = 2.0
time_column = "time"
time_format = "iso"
[columns]
air_temperature = { column = "T", unit = "°F" }
relative_humidity = { column = "RH", unit = "-" }
"""
WEATHER_MAPPING = """
time_format = "%Y-%m-%d %H:%M"
utc_offset = 1.0
[columns]
air_temperature = "T_out"
wind_speed = "wind"
[units]
air_temperature = "°F"
[place]
name = "farm"
latitude = 52.0
longitude = 4.5
elevation = 3.0
"""
PARAMETERS = """
parameters = "katzin2021_4ha_led"
floor_area = 20000
control_interval = 300

[rules]
temperature_day = 21
"""
SCHEDULES = {
    "schedule": "date,nitrogen [kg ha-1]\n1977-02-24,20\n1977-02-20,20\n04-29,20\n1978-03-01,40\n",
    "schedule_by_step": "step;nitrogen\n0;20\n3;\n20;40\n",
}
FITTED = {"log": ["house"], "fit": "leakage", "starts": 2, "seed": 0}
SEARCH = {"coordinates": [0.5, -1.25], "damping": 0.01, "steps": 3, "ended": False}
PLAYED = {
    "format": "phytotron-played-1", "environment": {"id": "phytotron/Lettuce-v0", "options": {"episode_days": 1.0}},
    "start": "2001", "actions": [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]], "return": -1.5,
}  # fmt: skip
PRICES = "fruit=1.8, electricity=0.2,gas=0.3"
OPTION = '{"observation": ["paper", {"state": 1}], "doses": [0, 20.5, 40], "on": true}'


@dataclass(frozen=True)
class Reader:
    """A file of a name in a folder, which `make` fills with whole files; `sealed` corrects what is said about it."""

    make: Callable[[Path], Any]
    name: str
    read: Callable[[Path], Any]
    mutation: of.Mutation
    sealed: Callable[[Path], Any] = lambda path: None
    names_file: bool = True  # in errors


def written(name: str, content: str | bytes) -> Callable[[Path], Any]:
    data = content.encode() if isinstance(content, str) else content
    return lambda folder: (folder / name).write_bytes(data)


def weather(name: str) -> Reader:
    make, arguments, mutation = fuzz_weather.FILES[name]

    def read(path: Path) -> None:
        table = read_weather(path, **arguments)
        assert all(np.isfinite(column).all() for column in table.columns.values())

    return Reader(lambda folder: (folder / "damaged").write_bytes(make(folder)), "damaged", read, mutation)


def text_file(name: str, content: str | bytes, read: Callable[[Path], Any], mutation: of.Mutation) -> Reader:
    return Reader(written(name, content), name, read, mutation)


def policy(folder: Path) -> None:
    network, moments = mlp(jax.random.key(0), 3, (2,), 2, "silu"), Moments.of_nothing((3,))
    made = Policy(network, moments, np.zeros(2, np.float32), None, "categorical", 9.0)
    save_policy(folder / "seed_0", made, {"environment": {"id": "x", "options": {}}, "training": {"seed": 0}})


def resum(path: Path, again: Callable[[dict[str, Any]], None] = lambda about: None) -> None:
    """Give the damaged tensors the checksum that belongs to them, as one who knows the format would."""
    about = json.loads(path.with_suffix(".json").read_text())
    about["sha256"] = files.sha256(path.with_suffix(".safetensors").read_bytes())
    again(about)
    path.with_suffix(".json").write_text(json.dumps(about))


def reseal(path: Path) -> None:
    try:
        about = json.loads(path.read_bytes())
        about["seal"] = _seal(about)
        path.write_text(json.dumps(about))
    except (ValueError, AttributeError, TypeError, RecursionError):
        return


def checkpoint(folder: Path) -> None:
    save_checkpoint(folder, 3, STATE, {"updates": 1, "seconds": 0.5, "lines": 2, "judge": None})


def restored(path: Path) -> None:
    load_checkpoint(path.parent, jax.eval_shape(lambda: STATE), lambda text: None)


def run(folder: Path) -> None:
    made = RunFolder(folder)
    made.create(small_config().as_dict())
    for step in (16, 32):
        made.append({"kind": "training", "step": step, "return": [1.0, None], "measures": {"age": [2.0, 3.0]}})
    made.append({"kind": "end", "step": 32, "reason": "finished"})
    (folder / "policies").mkdir()
    for seed in (0, 3):
        policy(folder / "policies")
        for suffix in (".json", ".safetensors"):
            data = (folder / "policies" / f"seed_0{suffix}").read_bytes()
            (folder / "policies" / f"seed_{seed}{suffix}").write_bytes(data)


def seen(path: Path) -> None:
    run = RunFolder(path.parent)
    find_policies(path.parent)
    read_runs([path.parent])
    run.check_same(run.config())


def metrics(path: Path) -> None:
    run = RunFolder(path.parent)
    _ = run.lines(), run.finished


def scores(folder: Path) -> None:
    values = {name: np.ones((2, 3)) for name in ("return", "length", "yield")}
    units = {"return": "-", "length": "-", "yield": "t"}
    save_scores(folder / "scores", Scores(("a", "b", "c"), ("yield",), values, units, {"controller": "x"}))


def scored(path: Path) -> None:
    found = load_scores(path)
    assert all(np.isfinite(found.values[name]).all() for name in ("return", "length"))  # others may be undefined
    assert all(each.shape[1] == len(found.labels) for each in found.values.values())
    assert all(isinstance(label, str) for label in found.labels)


def plans(folder: Path) -> None:
    made = {f"w{n}": Plan(np.full((6, 1), 1.0 + n, np.float32), float(n), (0.0, 1.0)) for n in range(3)}
    save_plans(folder / "plans.npz", made, SPACE)


def planned(path: Path) -> None:
    for label, plan in load_plans(path, SPACE).items():
        assert isinstance(label, str) and np.isfinite(plan.actions).all() and np.isfinite(plan.value)
        assert plan.actions.shape[1:] == (1,) and all(map(np.isfinite, plan.history))


def tuned(folder: Path) -> None:
    settings = {"gain": 1.25, "offset": -0.5}
    save_tuned(
        folder / "tuned.json", TunedSettings("test/RuledAiming-v0", {"x": "1"}, "return", settings, {"score": 1})
    )


def twin(folder: Path) -> None:
    found = published_twin(made_log())
    changed = replace(found, parameters=replace(found.parameters, leakage=2e-5))
    write_twin(folder, changed, "katzin2020_144m2", {"log": "x"}, {"intervals": {"leakage": [1, 2]}})


@cache
def log_of_two_days() -> Any:
    return made_log()


@cache
def wheat() -> WheatNitrogen:
    return WheatNitrogen(years=1977)


def imported(path: Path, variety: str | None) -> None:
    """Interpreted always; made a whole crop of, which takes thirty times as long, now and then."""
    interpreted(read_source(path, variety), False)
    if zlib.crc32(path.read_bytes()) % 30 == 0:
        import_crop([path], "bean", base="faba_bean", variety=variety)


def archive(folder: Path) -> None:
    np.savez(folder / "run.npz", about=np.array("recorded"), values=np.ones((4, 3)))


def read_archive(path: Path) -> None:
    arrays = Arrays(path)
    arrays.text("about", "what it is")
    arrays.get("values", "numbers")


def compartment(folder: Path) -> None:
    write_compartment(folder)


def log_beside(folder: Path, name: str, content: bytes) -> None:
    (folder / "log.csv").write_text(LOG)
    (folder / "log.toml").write_text(LOG_MAPPING, encoding="utf-8")
    (folder / name).write_bytes(content)


def read_log(path: Path) -> None:
    gz = path.parent / "log.csv.gz"
    read_csv_log(gz if gz.exists() else path.parent / "log.csv", path.parent / "log.toml")


READERS: dict[str, Reader] = {f"weather_{name}": weather(name) for name in fuzz_weather.FILES}
READERS |= {
    "crop": text_file("crop.toml", CROPS["faba_bean"].read_bytes(), read_crop_file, of.of_toml),
    **{
        f"crop_import_{name}": text_file(
            f"bean.{name}", text, partial(imported, variety="Bean_1" if name == "yaml" else None), of.of_bytes
        )
        for name, text in {
            "cab": crop_parameter_files.CABO, "ini": crop_parameter_files.INI, "crop": crop_parameter_files.PCSE,
            "yaml": crop_parameter_files.YAML,
        }.items()
    },
    "log": Reader(partial(log_beside, name="log.csv", content=LOG.encode()), "log.csv", read_log, of.of_bytes),
    "log_gz": Reader(
        partial(log_beside, name="log.csv.gz", content=gzip.compress(LOG.encode())), "log.csv.gz", read_log, of.of_gzip
    ),
    "log_mapping": Reader(
        partial(log_beside, name="log.toml", content=LOG_MAPPING.encode()), "log.toml", read_log, of.of_toml
    ),
    **{
        f"log_of_compartment_{name}": Reader(
            compartment, f"House_{name}.csv" if name != "weather" else "weather.csv",
            lambda path: read_compartment(path.parent, "House"), of.of_bytes,
        )
        for name in ("climate", "weight", "density", "weather")
    },
    "weather_mapping": text_file("mapping.toml", WEATHER_MAPPING, read_mapping, of.of_toml),
    "policy": Reader(policy, "seed_0.json", load_policy, of.of_json),
    "policy_tensors": Reader(policy, "seed_0.safetensors", load_policy, of.of_tensors, resum),
    "checkpoint": Reader(checkpoint, "step_000000000003.json", restored, of.of_json, reseal, names_file=False),
    "checkpoint_tensors": Reader(
        checkpoint, "step_000000000003.safetensors", restored, of.of_tensors, resum, names_file=False
    ),
    "config": Reader(run, "config.json", seen, of.of_json, names_file=False),
    "metrics": Reader(run, "metrics.jsonl", metrics, of.of_json_lines),
    "scores": Reader(scores, "scores.npz", scored, of.of_npz),
    "plans": Reader(plans, "plans.npz", planned, of.of_npz),
    "tuned_rules": Reader(
        tuned, "tuned.json", lambda path: load_tuned(path, RuledAiming().tunable_rules), of.of_json
    ),
    "greenhouse": Reader(twin, "greenhouse.toml", lambda path: load_twin(str(path), log_of_two_days()), of.of_toml),
    "parameters": text_file(
        "house.toml", PARAMETERS, lambda path: options_from_file(path, option_names(GREENHOUSE), GREENHOUSE), of.of_toml
    ),
    **{
        name: text_file(f"{name}.csv", text, lambda path: read_schedule(path, wheat(), SEASON), of.of_bytes)
        for name, text in SCHEDULES.items()
    },
    "reference": Reader(archive, "run.npz", read_archive, of.of_npz),
    "ensemble": Reader(
        lambda folder: write_ensemble(folder, {"leakage": [1e-5, 2e-5]}), "ensemble.json",
        lambda path: read_ensemble(str(path.parent)), of.of_json,
    ),
    "calibration": Reader(
        lambda folder: Progress(folder, FITTED).keep([SEARCH, SEARCH]), "progress.json",
        lambda path: Progress(path.parent, FITTED).kept(), of.of_json,
    ),
    "played": text_file("played.json", json.dumps(PLAYED), read_played, of.of_json),
    "prices": Reader(
        written("prices.txt", PRICES), "prices.txt",
        lambda path: price_option([path.read_text("utf-8", "replace")], GREENHOUSE), of.of_bytes,
        names_file=False,
    ),
    "option": Reader(
        written("option.txt", OPTION), "option.txt", lambda path: from_json("x", path.read_text("utf-8", "replace")),
        of.of_json, names_file=False,
    ),
}  # fmt: skip
