"""Experiments by name, and what a result is made of."""

from __future__ import annotations

import json

import pytest

from phytotron.core.errors import UnknownNameError
from phytotron.papers.registry import EXPERIMENTS, find_experiment
from phytotron.papers.result import Result, Row, finite


def test_experiments_carry_the_name_of_paper_and_table() -> None:
    assert {"greenlight-gym/table9", "greenlight-gym/figure2", "greenlight-gym/table11"} <= set(EXPERIMENTS)


def test_an_unknown_name_offers_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="greenlight-gym/table9"):
        find_experiment("greenlight-gym/tabel9")


def test_a_row_gives_the_difference_where_both_numbers_are_there() -> None:
    assert Row("a", "b", "%", 1.5, paper=1.0).difference == 0.5
    assert Row("a", "b", "%", 1.5).difference is None
    assert Row("a", "b", "%", finite(float("nan")), paper=1.0).difference is None


def test_a_result_becomes_json() -> None:
    result = Result("p/t", "title", "paper", (Row("a", "b", "%", None, paper=1.0),), ("note",), {"x": [1.0]})
    told = json.loads(json.dumps(result.as_dict(), allow_nan=False))
    assert told["rows"][0]["ours"] is None and told["rows"][0]["paper"] == 1.0
    assert told["notes"] == ["note"] and told["series"] == {"x": [1.0]}
