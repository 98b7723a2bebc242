"""The crops of the package: what their parameters are, and that they grow as such crops do."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest

from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.core.fields import names
from phytotron.models.crops import CROPS, FIELD_PARAMETERS, PLANT_PARAMETERS, Height, describe_crop, load_crop
from phytotron.models.lintul3 import Management, Parameters, Season, Weather, season
from phytotron.models.lintul3.parameter_sets import SHARES
from phytotron.weather.field_weather import INPUTS, named_field_weather

LEGUMES = ("faba_bean", "chickpea", "soybean", "cowpea")


@cache
def grown(name: str, emergence: int, warmer: float = 0.0, dose: float = 0.0, wetness: float | None = None) -> Season:
    """Seasons at Wageningen from a day of the year on, with a dose [kg ha-1] three weeks later.

    The soil is that of the wheat of CropGym, dry below the first roots, or holds `wetness` of water in all its depth.
    """
    days = np.swapaxes(np.asarray(named_field_weather("embedded_wheat:train").values), 0, 1)[emergence:]
    inputs = {each: days[..., i] + (warmer if "temperature" in each else 0.0) for i, each in enumerate(INPUTS)}
    nitrogen = np.zeros(days.shape[:2])
    nitrogen[21] = dose / 10.0
    soil = {} if wetness is None else {"WCI": wetness, "WCSUBS": wetness}
    plant = load_crop(name, **soil).plant
    return season(Weather(**inputs), Management(nitrogen=nitrogen, irrigation=0.0 * nitrogen), plant)


def at_harvest(made: Season) -> Any:
    return jax.tree.map(lambda days: np.asarray(days[-1]), made.states)


def test_the_crops_are_named_and_load() -> None:
    assert set(CROPS) == {"winter_wheat", "spring_wheat", *LEGUMES}
    structures = {jax.tree.structure(load_crop(name)) for name in CROPS}
    assert len(structures) == 1


def test_winter_wheat_is_that_of_the_wheat_environment() -> None:
    wheat, model = load_crop("winter_wheat").plant, Parameters()
    for name in names(Parameters):
        jax.tree.map(np.testing.assert_array_equal, getattr(wheat, name), getattr(model, name))


@pytest.mark.parametrize("name", CROPS)
def test_every_parameter_has_a_source_that_is_explained(name: str) -> None:
    file = describe_crop(name)
    assert set(file.plant) == set(PLANT_PARAMETERS)
    assert set(file.height) == set(names(Height))
    later = [entry for group in file.revision.values() for entry in group.values()]
    for entry in (*file.plant.values(), *file.height.values(), *later):
        assert len(file.sources[entry.source]) > 10
        assert entry.note or entry.source not in ("chosen", "derived")


def test_crop_and_field_parameters_are_all_of_the_model() -> None:
    assert sorted((*PLANT_PARAMETERS, *FIELD_PARAMETERS)) == sorted(names(Parameters))


@pytest.mark.parametrize("revised", [False, True])
@pytest.mark.parametrize("name", CROPS)
def test_shares_add_up_to_one_at_every_stage(name: str, revised: bool) -> None:
    plant = load_crop(name, revised=revised).plant
    stages = np.linspace(0.0, 2.0, 401)
    total = sum(np.asarray(getattr(plant, share)(stages)) for share in SHARES)
    np.testing.assert_allclose(total, 1.0, atol=2e-6)


@pytest.mark.parametrize("revised", [False, True])
@pytest.mark.parametrize("name", CROPS)
def test_values_lie_where_those_of_crops_lie(name: str, revised: bool) -> None:
    crop = load_crop(name, revised=revised)
    plant = crop.plant
    assert 0.05 <= plant.initial_root_depth <= 0.2
    assert 0.5 <= plant.maximum_root_depth <= 2.0
    assert 0.005 <= plant.root_deepening <= 0.02
    assert 0.01 <= plant.specific_leaf_area <= 0.05
    assert 1.5 <= plant.light_use_efficiency <= 3.5
    assert 0.5 <= plant.light_extinction <= 0.9
    assert 0.005 <= plant.juvenile_leaf_growth <= 0.015
    assert 0.1 < plant.initial_leaf_mass < 5.0
    assert plant.nitrogen_fixation == (0.8 if name in LEGUMES else 0.0)
    assert 0.3 <= crop.height.maximum <= 1.6


@pytest.mark.parametrize("name", CROPS)
def test_the_field_is_the_same_for_all_crops_and_moist(name: str) -> None:
    plant, model = load_crop(name).plant, Parameters()
    for each in FIELD_PARAMETERS:
        assert getattr(plant, each) == getattr(model, each)
    assert plant.initial_water_content > plant.wilting_point
    assert plant.mineralisation == 0.03


@pytest.mark.parametrize("revised", [False, True])
@pytest.mark.parametrize("name", CROPS)
def test_height_is_nearly_reached_around_flowering(name: str, revised: bool) -> None:
    crop = load_crop(name, revised=revised)
    height, warmth = crop.height.initial, float(crop.plant.vegetative_temperature_sum)
    for _ in range(int(warmth)):
        height += crop.height.rate * height * (1.0 - height / crop.height.maximum)
    assert 0.45 * crop.height.maximum < height <= crop.height.maximum


class Expected(NamedTuple):
    emergence: int  # day of the year
    warmer: float  # °C above Wageningen
    harvest: tuple[float, float]  # t ha-1, mean of the seasons
    leaves: tuple[float, float]  # m2 m-2, mean of the largest
    most: float  # t ha-1, mean of the seasons where water is ample


PLAUSIBLE = {
    "faba_bean": Expected(100, 0.0, (4.0, 7.0), (3.0, 6.0), 7.5),
    "chickpea": Expected(121, 4.0, (1.0, 3.0), (2.5, 6.0), 3.2),
    "soybean": Expected(130, 2.0, (2.0, 4.0), (2.5, 6.0), 4.6),
    "cowpea": Expected(130, 8.0, (1.0, 2.5), (3.0, 6.0), 3.2),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAUSIBLE)
def test_a_sole_legume_yields_what_farmers_harvest_and_ripens(name: str) -> None:
    expected = PLAUSIBLE[name]
    made = grown(name, expected.emergence, expected.warmer)
    end = at_harvest(made)
    assert np.all(end.stage == 2.0)
    assert expected.harvest[0] < np.mean(end.grain_mass) / 100.0 < expected.harvest[1]
    assert expected.leaves[0] < np.mean(np.max(made.states.leaf_area_index, axis=0)) < expected.leaves[1]
    content = np.sum(end.grain_nitrogen) / np.sum(end.grain_mass)
    assert 0.015 < content <= load_crop(name).plant.maximum_grain_nitrogen


@pytest.mark.parametrize("name", PLAUSIBLE)
def test_ample_water_gives_more_but_not_more_than_such_crops_can(name: str) -> None:
    expected = PLAUSIBLE[name]
    dry = at_harvest(grown(name, expected.emergence, expected.warmer)).grain_mass
    wet = at_harvest(grown(name, expected.emergence, expected.warmer, wetness=0.4)).grain_mass
    assert 1.2 * np.mean(dry) < np.mean(wet) < 100.0 * expected.most


def test_wheat_answers_to_fertiliser_and_a_legume_hardly_does() -> None:
    def answer(name: str, emergence: int) -> float:
        with_dose = at_harvest(grown(name, emergence, dose=120.0)).grain_mass
        return float(np.mean(with_dose - at_harvest(grown(name, emergence)).grain_mass) / 100.0)

    assert answer("winter_wheat", 0) > 1.0
    assert abs(answer("faba_bean", 100)) < 0.1


@pytest.mark.parametrize("name", LEGUMES)
def test_nitrogen_of_the_crop_is_what_it_fixed_and_took_up(name: str) -> None:
    expected = PLAUSIBLE[name]
    made = grown(name, expected.emergence, expected.warmer)
    start, end = jax.tree.map(lambda days: np.asarray(days[0]), made.states), at_harvest(made)

    def held(state: Any) -> Any:
        return state.leaf_nitrogen + state.stem_nitrogen + state.root_nitrogen + state.grain_nitrogen

    lost = end.leaf_nitrogen_loss + end.root_nitrogen_loss
    np.testing.assert_allclose(held(end) + lost - held(start), end.nitrogen_uptake + end.fixed_nitrogen, rtol=1e-9)
    # The soil is never empty under a sole legume, so that its share is the whole of what fixation does not give.
    np.testing.assert_allclose(end.fixed_nitrogen, 4.0 * end.nitrogen_uptake, rtol=1e-9)


def test_overrides_change_the_field_and_the_plant() -> None:
    crop = load_crop("faba_bean", WCI=0.25, light_extinction=0.7)
    assert (crop.plant.initial_water_content, crop.plant.light_extinction) == (0.25, 0.7)
    assert load_crop("faba_bean").plant.light_extinction == 0.8


def test_an_unknown_crop_is_explained(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'faba_bean'"):
        load_crop("faba-bean")
    with pytest.raises(PhytotronError, match=r"no crop file lupin.toml; give the path of one"):
        load_crop("lupin.toml")
    (tmp_path / "bean.cab").write_text("TSUM1 = 700.", encoding="utf-8")
    with pytest.raises(PhytotronError, match=r"is not a crop file .*; make one of it: phytotron crop import"):
        load_crop(tmp_path / "bean.cab")
