"""The numbers of every environment are those on record."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from robustness_records import record
from rollouts import OPTIONS, TOLERANCE, fingerprint, recorded, rollout

from phytotron.core import registry

PAGE = Path(__file__).parents[2] / "docs" / "robustness.md"
SLOW = {id for id in OPTIONS if id not in ("phytotron/Lettuce-v0", "phytotron/WheatNitrogen-v0")}  # to compile


@pytest.mark.parametrize("id", [pytest.param(id, marks=[pytest.mark.slow] * (id in SLOW)) for id in OPTIONS])
def test_a_fixed_episode_gives_the_numbers_on_record(id: str) -> None:
    found, wanted = np.array(rollout(id)), np.array(recorded()[id])
    np.testing.assert_allclose(found, wanted, rtol=TOLERANCE, atol=TOLERANCE)
    record("rollouts", id, len(wanted), 0)


def test_every_environment_has_its_record_and_its_hash_in_the_docs() -> None:
    ids = [id for id in registry.registered() if id.startswith("phytotron/")]
    assert sorted(recorded()) == sorted(OPTIONS) == sorted(ids)
    page = PAGE.read_text(encoding="utf-8")
    for id, numbers in recorded().items():
        assert f"| `{id}` | {len(numbers)} | `{fingerprint(numbers)}` |" in page
