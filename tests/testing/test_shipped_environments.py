"""Every environment that comes with the package keeps the contract."""

from __future__ import annotations

import pytest

import phytotron
from phytotron.testing import check_environment

COSTLY = ("baselines", "parts", "measures", "observation", "reward", "costs", "ends", "bounds", "batch", "eager")
COSTLY = (*COSTLY, "gradients", "copies", "purity", "channels", "seeds")  # they compile a step, or make others

# One that differs from another id in options alone, and one that has a successor, are left to the whole check below.
LIKE_OTHERS = {"phytotron/GreenLightGym-v0", "phytotron/IntercropField-v0"}


@pytest.mark.parametrize("id", sorted(set(phytotron.registered()) - LIKE_OTHERS))
def test_what_every_shipped_environment_says_about_itself_is_right(id: str) -> None:
    check_environment(phytotron.make(id), skip=COSTLY)


def test_a_choice_may_stand_for_several_quantities() -> None:
    check_environment(phytotron.make("phytotron/WheatNitrogen-v0", irrigation=(0.0, 10.0)), skip=COSTLY)


@pytest.mark.slow
@pytest.mark.parametrize("id", phytotron.registered())
def test_every_shipped_environment_keeps_the_contract(id: str) -> None:
    check_environment(phytotron.make(id))
