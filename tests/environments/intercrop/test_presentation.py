"""How tasks of two crops are shown, and whom their agents are compared with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from phytotron.controllers import make_controller
from phytotron.controllers.base import Schedule
from phytotron.core.errors import PhytotronError
from phytotron.environments.field.controllers import split_practice
from phytotron.environments.intercrop import Intercrop, IntercropField, TwoCrops
from phytotron.environments.wheat import WheatNitrogen
from phytotron.episodes.recording import record
from phytotron.models.crops import load_crop


@pytest.fixture(scope="module", params=[Intercrop, pytest.param(IntercropField, marks=pytest.mark.slow)])
def env(request: Any) -> TwoCrops:
    made: TwoCrops = request.param(years=1991)
    return made


@pytest.mark.slow
def test_titles_are_in_words() -> None:
    named = Intercrop(years=1991).presentation
    assert named.title == "Winter wheat beside faba bean"
    assert named.notes == ("Crop 1 is winter wheat, crop 2 is faba bean.",)
    assert IntercropField(years=1991).presentation.title == "Winter wheat and faba bean on one field"
    unnamed = Intercrop(crops=(load_crop("winter_wheat"), "soybean"), years=1991)
    assert unnamed.presentation.title == "Crop 1 beside soybean"
    assert unnamed.presentation.notes == ("Crop 2 is soybean.",)


def test_agents_are_compared_with_split_practice_and_none(env: TwoCrops) -> None:
    assert env.presentation.compare == ("split-practice", "none") == tuple(env.baselines)
    named = make_controller("split-practice", env)
    assert isinstance(named, Schedule) and np.array_equal(named.actions, split_practice(env).actions)
    with pytest.raises(PhytotronError, match="controller of phytotron/WheatNitrogen-v0"):
        make_controller("split-practice", WheatNitrogen(years=1991))


@pytest.mark.slow
def test_what_is_shown_is_there_and_channels_have_the_values_of_the_state(env: TwoCrops) -> None:
    shown, channels = env.presentation, {each.name: each for each in env.channels}
    measured = {each.quantity.name for each in env.measures} | {"return"}
    assert {*shown.headline, *shown.learning, *shown.resources, shown.product} <= measured
    assert set(shown.zoomed) <= set(channels)
    assert {name for name, *_ in shown.curves} <= {*channels, "sum of return"}
    (part,) = record(env, [make_controller("split-practice", env)], env.channels)
    assert part.costs.keys() == shown.costs.keys()
    grain, by_crop = part.channels["grain"], part.channels["grain_1"] + part.channels["grain_2"]
    assert np.all(np.isfinite([*part.channels.values()])) and grain == pytest.approx(by_crop, rel=1e-6)
    harvest = part.measures["yield"][part.active].sum()
    assert grain[part.active][-1] == pytest.approx(harvest, rel=1e-4)
    assert shown.timeline is not None and shown.timeline.calendar
    assert part.channels["day"][0, 0, 0] == shown.timeline.first == 2 * env.interval
