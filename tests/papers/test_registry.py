"""Experiments by name, and what a result is made of."""

from __future__ import annotations

import importlib
import json

import pytest

from phytotron.core.errors import UnknownNameError
from phytotron.papers.registry import EXPERIMENTS, MODULES, find_experiment
from phytotron.papers.result import Result, Row, Settings, mean_row


def test_experiments_carry_the_name_of_paper_and_table() -> None:
    assert {"greenlight-gym/table9", "greenlight-gym/figure2", "greenlight-gym/table11"} <= set(EXPERIMENTS)


def test_an_unknown_name_offers_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="greenlight-gym/table9"):
        find_experiment("greenlight-gym/tabel9")


def test_a_row_gives_the_difference_where_both_numbers_are_there() -> None:
    assert Row("a", "b", "%", 1.5, paper=1.0).difference == 0.5
    assert Row("a", "b", "%", 1.5).difference is None
    assert Row("a", "b", "%", float("nan"), paper=1.0).difference is None


def test_every_experiment_is_where_the_registry_says() -> None:
    for name in EXPERIMENTS:
        paper, item = name.replace("-", "_").split("/")
        module = importlib.import_module(f"phytotron.papers.{paper}.experiments.{MODULES.get(name, item)}")
        assert callable(getattr(module, item))


def test_a_mean_has_the_interval_by_students_t() -> None:
    row = mean_row("a", "b", "%", [1.0, 2.0, 3.0], 2.5)
    assert row.ours == 2.0 and row.interval == pytest.approx(4.30265 / 3.0**0.5, rel=1e-5) and row.difference == -0.5


def test_a_job_tells_its_share_of_the_whole() -> None:
    told: list[tuple[str, float]] = []
    job = Settings(progress=lambda what, share: told.append((what, share))).job("b", 1, 4)
    job(5, 10)
    assert told == [("b: compiling", 0.25), ("b", 0.375)]


def test_a_result_becomes_json() -> None:
    result = Result("title", "paper", (Row("a", "b", "%", None, paper=1.0),), ("note",), {"x": [1.0]})
    told = json.loads(json.dumps(result.as_dict(), allow_nan=False))
    assert told["rows"][0]["ours"] is None and told["rows"][0]["paper"] == 1.0
    assert told["notes"] == ["note"] and told["series"] == {"x": [1.0]}
