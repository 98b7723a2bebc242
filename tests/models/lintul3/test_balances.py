"""What comes in goes out or stays: dry matter, nitrogen and water, whatever the weather and the farmer do."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wheat_seasons import doses, made_up_weather, wheat

from phytotron.models.lintul3 import Parameters, Season, season

TOLERANCE = 1e-10  # g m-2 and mm; sums of 240 numbers of up to 3000, in float64

draws = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 2**20),
        "warmth": st.floats(2.0, 16.0),
        "wetness": st.floats(0.0, 20.0),
        "largest": st.floats(0.0, 20.0),
        "irrigation": st.floats(0.0, 60.0),
    }
)
soils = st.fixed_dictionaries(
    {
        "maximum_drainage": st.floats(0.0, 30.0),
        "initial_water_content": st.floats(0.02, 0.5),
        "subsoil_water_content": st.floats(0.05, 0.5),
        "flooded_crop": st.sampled_from((0.0, 1.0)),
        "automatic_irrigation": st.sampled_from((0.0, 1.0)),
        "irrigation_by_farmer": st.sampled_from((0.0, 1.0)),
        "stem_remobilisation": st.floats(0.0, 1.0),
        "initial_soil_nitrogen": st.floats(0.0, 20.0),
        "mineralisation": st.floats(0.0, 0.3),
    }
)


def run(draw: dict[str, Any], soil: dict[str, float]) -> tuple[Season, Parameters]:
    weather = made_up_weather(draw["seed"], warmth=draw["warmth"], wetness=draw["wetness"])
    management = doses(draw["seed"], largest=draw["largest"], irrigation=draw["irrigation"])
    parameters = wheat(**soil)
    return jax.tree.map(np.asarray, season(weather, management, parameters)), parameters


@settings(max_examples=40, deadline=None)
@given(draws, soils)
def test_dry_matter_nitrogen_and_water_are_conserved(draw: dict[str, Any], soil: dict[str, float]) -> None:
    result, p = run(draw, soil)
    s, n, w = result.states, result.processes.nitrogen, result.processes.water
    assert all(np.all(np.isfinite(leaf)) for leaf in jax.tree.leaves(result))

    mass = s.leaf_mass + s.dead_leaf_mass + s.stem_mass + s.grain_mass + s.root_mass + s.dead_root_mass
    assert mass - s.total_growth == pytest.approx(mass[0], abs=TOLERANCE)

    in_crop = s.leaf_nitrogen + s.stem_nitrogen + s.root_nitrogen + s.grain_nitrogen
    lost = s.leaf_nitrogen_loss + s.root_nitrogen_loss
    assert in_crop + lost - s.nitrogen_uptake == pytest.approx(in_crop[0], abs=TOLERANCE)

    supplied = np.where(result.growing[1:], n.fertiliser[:-1] + n.mineralisation[:-1], 0.0)
    supplied = np.concatenate([[0.0], np.cumsum(supplied)])
    assert s.soil_nitrogen + s.nitrogen_uptake - supplied == pytest.approx(p.initial_soil_nitrogen, abs=TOLERANCE)

    gained = s.rain_sum + s.irrigation_sum + s.explored_water_sum
    spent = s.transpiration_sum + s.evaporation_sum + s.drainage_sum + s.runoff_sum
    assert s.soil_water - gained + spent == pytest.approx(s.soil_water[0], abs=TOLERANCE)
    assert w.change[:-1][result.growing[1:]] == pytest.approx(np.diff(s.soil_water)[result.growing[1:]], abs=TOLERANCE)


@settings(max_examples=40, deadline=None)
@given(draws, soils)
def test_shares_and_indices_stay_in_their_ranges(draw: dict[str, Any], soil: dict[str, float]) -> None:
    result, _ = run(draw, soil)
    shares, status, drunk = result.processes.shares, result.processes.status, result.processes.transpiration
    assert shares.root + shares.leaf + shares.stem + shares.grain == pytest.approx(1.0, abs=1e-12)
    assert np.all((status.index >= 0.001) & (status.index <= 1.0))
    assert np.all((drunk.reduction >= 0.0) & (drunk.reduction <= 1.0))
    assert np.all(drunk.actual <= drunk.potential)
    assert np.all(np.diff(result.states.stage) >= 0.0) and np.all(result.states.stage <= 2.0)
    assert np.all(np.diff(result.states.root_depth) >= 0.0)
    assert np.all(result.states.soil_nitrogen >= -TOLERANCE)
