"""Results that commands print for other programs."""

from __future__ import annotations

import json
import math

import pytest

from phytotron.cli.console import print_json


def test_what_json_has_no_number_for_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"mean": math.nan, "rows": [1.5, math.inf, (2, "text")], "nested": {"low": -math.inf, "none": None}})
    expected = {"mean": None, "rows": [1.5, None, [2, "text"]], "nested": {"low": None, "none": None}}
    assert json.loads(capsys.readouterr().out) == expected
