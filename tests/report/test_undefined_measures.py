"""Pages about measures that are undefined for a controller."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from untrained_runs import untrained_run
from weather_parts import PartedAiming

from phytotron.core.presentation import Presentation
from phytotron.report.gathering import Entry, Section, gather, read_runs
from phytotron.report.tables import resources_table, scores_table
from phytotron.report.words import number


class Counting(PartedAiming):
    """With its measure shown among the resources."""

    @property
    def presentation(self) -> Presentation:
        return replace(super().presentation, resources=("action",))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Section:
    run = untrained_run(tmp_path_factory.mktemp("runs") / "run", "weather_parts:PartedAiming", (0,))
    made = gather(read_runs([run]), lambda text: None, ("middle",))[0]
    return replace(made, environment=Counting())


def measured(entry: Entry, value: float) -> Entry:
    """Return an entry with a value of the measure in all episodes."""
    scores = entry.examination.scores
    values: dict[str, Any] = {**scores.values, "action": np.full_like(scores.values["action"], value)}
    return replace(entry, examination=replace(entry.examination, scores=replace(scores, values=values)))


@pytest.mark.parametrize(("first", "second"), [(np.nan, 3.0), (3.0, np.nan), (np.nan, np.nan), (np.nan, 0.0)])
def test_an_undefined_measure_is_a_dash_whichever_controller_lacks_it(
    found: Section, first: float, second: float
) -> None:
    (agent,), (baseline,) = found.trained, found.baselines
    section = replace(found, trained=(measured(agent, first),), baselines=(measured(baseline, second),))
    scores, resources = scores_table(section), resources_table(section)
    assert "–" in scores and not any("nan" in text for text in (scores, resources))
    assert ("3.00" in resources) == (3.0 in (first, second))


def test_a_number_beside_an_undefined_one_has_decimals_of_its_own() -> None:
    assert number(3.0, np.nan) == number(3.0)
