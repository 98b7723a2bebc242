"""The best fixed doses of two crops."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.core.errors import PhytotronError
from phytotron.environments.field.controllers import Schedule
from phytotron.environments.intercrop import Intercrop
from phytotron.environments.wheat import Continuous
from phytotron.papers.intercropgym.experiments.results import (
    best_by_season,
    best_constant_dose,
    best_fixed_dose,
    evaluate_schedules,
    fixed_doses,
)


@pytest.fixture(scope="module")
def env() -> Intercrop:
    """Two years, a coarse ladder, and cheap nitrogen, so that some of it pays."""
    return Intercrop(years=(1977, 1991), doses=(0, 60), interval=14, reward_parameters={"beta": 1.0})


@pytest.mark.slow
def test_the_best_fixed_doses_are_the_best_of_all_that_are_tried(env: Intercrop) -> None:
    fixed, constant = best_fixed_dose(env), best_constant_dose(env)
    tried = [Schedule(jnp.asarray(row)) for row in fixed_doses(env)]
    returns = evaluate_schedules(env, tried).values["return"]
    assert fixed.returns.mean() == pytest.approx(returns.mean(axis=1).max())
    assert fixed.dose == 60.0 and np.array_equal(np.flatnonzero(fixed.schedule.actions), fixed.decisions)
    assert np.array_equal(best_by_season(env), returns.max(axis=0))
    assert fixed.returns.mean() > constant.returns.mean()
    assert not np.any(tried[0].actions)


def test_continuous_doses_are_refused() -> None:
    with pytest.raises(PhytotronError, match="continuous doses"):
        best_constant_dose(Intercrop(years=1991, doses=Continuous(100.0)))
