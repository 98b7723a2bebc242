"""What one crop loses to another, and the crops of the published code."""

from __future__ import annotations

import json

import numpy as np
import pytest
from shared_data import shared

from phytotron.core.errors import UnknownNameError
from phytotron.core.fields import quantities
from phytotron.models.intercropping.effects import Factors, effects
from phytotron.models.intercropping.neighbours import affected, neighbour, new_stand, reduced, transferred
from phytotron.models.intercropping.published import PUBLISHED_CROPS, SOIL, published_crop
from phytotron.models.lintul3 import Parameters, State, Table, initial_state, load_parameters
from phytotron.models.lintul3.nitrogen import nitrogen_status

FILES = {"winter_wheat": "lintul3_winterwheat"}


def crop() -> State:
    return initial_state(load_parameters(WLVGI=120.0, WSTI=300.0, WSOI=80.0, WRTLI=60.0, TNSOILI=3.0))


def test_a_crop_that_loses_a_part_keeps_its_contents() -> None:
    before = crop()
    after, mass, nitrogen = reduced(before, 0.9)
    assert float(mass) == pytest.approx(0.1 * (120.0 + 300.0 + 80.0 + 60.0))
    assert float(nitrogen) == pytest.approx(
        0.1 * float(before.leaf_nitrogen + before.stem_nitrogen + before.root_nitrogen)
    )
    for contents in (lambda s: s.leaf_nitrogen / s.leaf_mass, lambda s: s.leaf_area_index / s.leaf_mass):
        assert float(contents(after)) == pytest.approx(float(contents(before)))
    plant = load_parameters()
    assert float(nitrogen_status(after, plant).index) == pytest.approx(float(nitrogen_status(before, plant).index))
    assert float(after.total_growth) == float(before.total_growth)
    assert float(after.dead_leaf_mass) == float(before.dead_leaf_mass)


@pytest.mark.parametrize(
    ("transfers", "soils", "moved"),
    [
        ((0.5, 0.0), (2.0, 1.0), 0.5),
        ((1e6, 0.0), (2.0, 1.0), 2.0),
        ((0.0, 3.0), (2.0, 1.0), -1.0),
        ((1.0, 0.0), (-0.1, 1.0), 0.0),
    ],
)
def test_a_soil_gives_no_more_than_it_has(
    transfers: tuple[float, float], soils: tuple[float, float], moved: float
) -> None:
    assert float(transferred(transfers, soils)) == moved


def test_nothing_is_created_between_two_crops() -> None:
    one, two = crop(), initial_state(load_parameters(TNSOILI=0.5))
    stand = new_stand(one, two)
    found = effects(neighbour(one, 2.0), neighbour(two, 1.0), Factors())
    after = affected(stand, found)
    for before, later, gone in zip(stand.crops, after.crops, after.lost_mass, strict=True):
        names = ("leaf_mass", "stem_mass", "grain_mass", "root_mass")
        assert sum(float(getattr(before, name)) for name in names) == pytest.approx(
            sum(float(getattr(later, name)) for name in names) + float(gone)
        )
    soils = [sum(float(each.soil_nitrogen) for each in pair.crops) for pair in (stand, after)]
    assert soils[0] == pytest.approx(soils[1], rel=1e-14)


@pytest.mark.parametrize("name", PUBLISHED_CROPS)
def test_published_crops_have_the_values_of_their_files(name: str) -> None:
    held = json.loads(shared("reference", "intercrop", "crop_parameters.json").read_text())[FILES.get(name, name)]
    plant = published_crop(name).plant
    held = held | dict(SOIL)
    compared = 0
    for q in quantities(Parameters):
        symbol = "RNMIN" if q.symbol == "RTMIN" else q.symbol
        if symbol not in held or q.symbol in ("TNSOILI", "FRTRL"):
            continue
        ours = getattr(plant, q.name)
        if isinstance(ours, Table):
            x, y = np.asarray(held[symbol], float).reshape(-1, 2).T
            assert np.asarray(ours(x)) == pytest.approx(y, abs=1e-15)
        else:
            assert ours == held[symbol]
        compared += 1
    assert compared > 50
    assert plant.initial_soil_nitrogen == 0.0 and plant.stem_remobilisation == 0.0


def test_crops_that_the_published_code_cannot_run_are_not_there() -> None:
    with pytest.raises(UnknownNameError, match="faba_bean"):
        published_crop("faba_bean")
