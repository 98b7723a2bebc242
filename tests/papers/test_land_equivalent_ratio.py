"""Wheat and faba bean together need less land than apart, most of all without fertiliser."""

from __future__ import annotations

import numpy as np
import pytest

from phytotron.environments.intercrop import IntercropField
from phytotron.papers.intercropgym.experiments.land_equivalent_ratio import LandEquivalents, land_equivalent_by_dose

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found() -> LandEquivalents:
    return land_equivalent_by_dose(IntercropField(weather="wageningen"))


def test_the_mean_land_equivalent_ratio_is_that_of_field_trials(found: LandEquivalents) -> None:
    """1.22 on average over many intercrops (Yu et al. 2015), above 1 for wheat and faba bean at all doses."""
    assert len(found.seasons) == 24
    mean = found.ratio.mean(-1)
    assert np.all((mean > 1.05) & (mean < 1.4))
    assert np.all(found.ratio > 1.0)


def test_it_falls_with_the_dose(found: LandEquivalents) -> None:
    assert np.all(np.diff(found.ratio.mean(-1)) < -0.005)


def test_nitrogen_feeds_wheat_and_lets_it_shade_the_beans(found: LandEquivalents) -> None:
    wheat, bean = np.moveaxis(found.intercropped.mean(1), -1, 0)
    assert np.all(np.diff(wheat) > 0.0) and np.all(np.diff(bean) < 0.0)
    sole_wheat, sole_bean = np.moveaxis(found.sole.mean(1), -1, 0)
    assert np.all(np.diff(sole_wheat) > 0.0) and np.ptp(sole_bean) < 0.05
    assert 4.0 < sole_wheat[0] < 7.0 and 4.0 < sole_bean[0] < 8.0  # t ha-1
