"""Whatever an option is given, an environment is made, or an error says which option is wrong."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import pytest
from robustness_records import record

from phytotron.core import registry
from phytotron.core.errors import PhytotronError

IDS = [id for id in registry.registered() if id.startswith("phytotron/")]
QUICK = ("phytotron/Lettuce-v0", "phytotron/GreenhouseSetpoint-v0")  # made at once, where nothing is wrong
WRONG: tuple[Any, ...] = (
    -1, float("nan"), float("inf"), 10**30, -5.5, 1j, "", "nonsense", b"x", [[]], ["nonsense"], [None], {1: 2},
    {"nonsense": 1}, {"nonsense": float("nan")}, (3, 2, 1), object(), print,
)  # fmt: skip
# What is right for some option: a folder that is made when something is stored in it, any function as a reward.
RIGHT = {"weather_folder": ("", "nonsense"), "reward": (print,), "harvest_step": (10**30,)}


def wrong_values(id: str) -> int:
    tried = 0
    for option in inspect.signature(registry.ENVIRONMENTS[id]).parameters:
        for value in WRONG:
            if value in RIGHT.get(option, ()):
                continue
            with warnings.catch_warnings(), pytest.raises(PhytotronError) as raised:
                warnings.simplefilter("ignore")
                registry.make(id, **{option: value})
                pytest.fail(f"{id} was made with {option}={value!r}")
            assert option in str(raised.value), (option, value, str(raised.value))
            tried += 1
    return tried


@pytest.mark.parametrize("id", QUICK)
def test_a_wrong_value_of_any_option_is_refused_by_name(id: str) -> None:
    wrong_values(id)


@pytest.mark.slow
@pytest.mark.parametrize("id", IDS)
def test_a_wrong_value_of_any_option_of_any_environment_is_refused_by_name(id: str) -> None:
    record("options", f"wrong values for options of {id}", wrong_values(id), 0)


def test_of_several_options_the_wrong_one_is_named() -> None:
    with pytest.raises(PhytotronError, match=r"^option prices: unknown Prices quantity 'bread'"):
        registry.make("phytotron/Lettuce-v0", episode_days=2.0, prices={"bread": 1.0}, forecast=2)
