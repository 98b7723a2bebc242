"""A crop alone is LINTUL-3's; nothing is lost between two; what each gets is what the rules say."""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from intercrop_fields import EMERGENCE, cereal, farmed, legume, pair, spread
from wheat_seasons import DAYS, applied, made_up_weather

from phytotron.core.errors import PhytotronError
from phytotron.core.fields import names
from phytotron.models.intercropping.canopy import canopy, field_is_over, standing
from phytotron.models.intercropping.field import field_season
from phytotron.models.intercropping.stand import (
    FIRST,
    NEVER,
    REVISED,
    FieldState,
    Rules,
    Stand,
    make_stand,
    sole,
    with_soles,
)
from phytotron.models.lintul3 import State, season

SOIL = ("day", "soil_nitrogen", "soil_water", "dry_days", "rain_sum", "drainage_sum", "runoff_sum")
ZONES = Rules(root_zones=True)
TOLERANCE = 1e-10  # g m-2 and mm; sums of 240 numbers of up to 3000, in float64
ROUNDING = 1e-9  # g m-2 and mm, of two orders of the same operations over a season


def differences(one: State, other: State) -> dict[str, float]:
    """The largest of every state."""
    pairs = {name: (getattr(one, name), getattr(other, name)) for name in names(State)}
    return {name: float(np.max(np.abs(np.asarray(a) - np.asarray(b)))) for name, (a, b) in pairs.items()}


@pytest.mark.parametrize("rules", [FIRST, ZONES])
@pytest.mark.parametrize("wetness", [0.3, 2.0, 12.0])
def test_a_field_of_one_crop_is_that_of_lintul3(wetness: float, rules: Rules) -> None:
    weather, doses = made_up_weather(3, wetness=wetness), np.zeros(DAYS)
    doses[[60, 110]] = 5.0
    for crop in (cereal(), legume()):
        alone = field_season(weather, spread(doses), make_stand((crop,), rules=rules)).crops[0]
        expected = season(weather, applied(doses), crop.plant).states
        assert max(differences(alone, expected).values()) < ROUNDING


@pytest.mark.parametrize(
    "absent", [{"emergence": (0.0, NEVER)}, {"sown_share": (1.0, 0.0)}, {"emergence": (0.0, NEVER), "rules": ZONES}]
)
def test_beside_a_partner_that_never_comes_a_crop_grows_as_if_alone(absent: dict[str, Any]) -> None:
    weather, doses = made_up_weather(4), np.zeros(DAYS)
    doses[[60, 110]] = 5.0
    options: dict[str, Any] = {"emergence": (0.0, 0.0), "sown_share": (1.0, 0.5)} | absent
    found = field_season(weather, spread(doses), pair(**options)).crops[0]
    expected = season(weather, applied(doses), cereal().plant).states
    assert max(differences(found, expected).values()) < ROUNDING


def test_a_crop_that_emerges_late_finds_the_soil_that_lay_bare_until_then() -> None:
    weather, day = made_up_weather(5), 100
    stand = make_stand((legume(),), emergence=(float(day),))
    alone = field_season(weather, spread(), stand)
    start: Any = jax.tree.map(lambda each: each[day], alone.crops[0])
    rest = jax.tree.map(lambda each: each[day:], weather)
    expected = season(rest, jax.tree.map(lambda each: each[day:], applied()), stand.crops[0].plant, start).states
    found = jax.tree.map(lambda each: each[day:], alone.crops[0])
    assert max(differences(found, expected).values()) < ROUNDING
    assert float(start.total_growth) == 0.0
    assert float(start.soil_nitrogen) == pytest.approx(7.7 + day * 0.03)
    assert float(start.rain_sum) == pytest.approx(float(np.sum(weather.rain[:day])))


draws = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 2**20),
        "warmth": st.floats(4.0, 16.0),
        "wetness": st.floats(0.0, 20.0),
        "largest": st.floats(0.0, 20.0),
        "irrigation": st.floats(0.0, 60.0),
    }
)
stands = st.fixed_dictionaries(
    {
        "emergence": st.tuples(st.integers(0, 150), st.integers(0, 150)),
        "sown_share": st.tuples(st.floats(0.05, 1.0), st.floats(0.05, 1.0)),
        "soil": st.fixed_dictionaries(
            {
                "maximum_drainage": st.floats(0.0, 30.0),
                "initial_water_content": st.floats(0.02, 0.5),
                "subsoil_water_content": st.floats(0.05, 0.5),
                "initial_soil_nitrogen": st.floats(0.0, 20.0),
                "mineralisation": st.floats(0.0, 0.3),
            }
        ),
        "sharing": st.fixed_dictionaries(
            {"placement_time": st.floats(1.0, 60.0), "fixation_inhibition": st.floats(0.0, 1.0)}
        ),
        "layout": st.sampled_from(("mixed", "strips")),
        "rules": st.sampled_from((FIRST, REVISED)),
    }
)


def of_field(draw: dict[str, Any], options: dict[str, Any]) -> tuple[FieldState, Stand]:
    weather = made_up_weather(draw["seed"], warmth=draw["warmth"], wetness=draw["wetness"])
    stand = jax.tree.map(np.float64, pair(**options))
    management = farmed(draw["seed"], largest=draw["largest"], irrigation=draw["irrigation"])
    return jax.tree.map(np.asarray, field_season(weather, management, stand)), stand


@settings(max_examples=30, deadline=None)
@given(draws, stands)
def test_dry_matter_nitrogen_and_water_are_conserved(draw: dict[str, Any], options: dict[str, Any]) -> None:
    field, stand = of_field(draw, options)
    assert all(np.all(np.isfinite(leaf)) for leaf in jax.tree.leaves(field))
    for s in field.crops:
        mass = s.leaf_mass + s.dead_leaf_mass + s.stem_mass + s.grain_mass + s.root_mass + s.dead_root_mass
        assert mass - s.total_growth == pytest.approx(mass[0], abs=TOLERANCE)
        in_crop = s.leaf_nitrogen + s.stem_nitrogen + s.root_nitrogen + s.grain_nitrogen
        lost = s.leaf_nitrogen_loss + s.root_nitrogen_loss
        assert in_crop + lost - s.nitrogen_uptake - s.fixed_nitrogen == pytest.approx(in_crop[0], abs=TOLERANCE)

    one, two = field.crops
    for name in SOIL:  # each crop has the soil of the field, computed in another order
        assert getattr(one, name) == pytest.approx(getattr(two, name), abs=TOLERANCE), name
    ground, bands = field.ground, field.ground.band
    assert np.array_equal(ground.depth[..., 0], ground.depth[..., 1])
    held = one.soil_nitrogen + bands.sum(-1) + one.nitrogen_uptake + two.nitrogen_uptake
    came = ground.fertiliser_sum[..., 0] + ground.mineralised_sum[..., 0]
    assert held - came == pytest.approx(stand.crops[0].plant.initial_soil_nitrogen, abs=TOLERANCE)
    assert np.all(one.soil_nitrogen >= -TOLERANCE) and np.all(bands >= -TOLERANCE)

    gained = one.rain_sum + one.irrigation_sum + one.explored_water_sum
    spent = one.evaporation_sum + one.drainage_sum + one.runoff_sum + one.transpiration_sum + two.transpiration_sum
    assert one.soil_water - gained + spent == pytest.approx(one.soil_water[0], abs=TOLERANCE)
    depth = 1000.0 * ground.depth[1:, 0]
    if stand.rules == FIRST:
        assert one.soil_water[1:] == pytest.approx(depth * one.water_content[1:], abs=TOLERANCE)
        assert one.water_content == pytest.approx(two.water_content, abs=TOLERANCE)
    else:
        assert np.all(ground.lower_water >= -TOLERANCE) and np.all(ground.upper_depth <= ground.depth)
        assert np.all(one.soil_water - ground.lower_water[:, 0] >= -TOLERANCE)


def test_the_field_is_rooted_to_the_deepest_roots_and_ends_when_both_crops_are_ripe() -> None:
    stand, weather = pair(), made_up_weather(6, warmth=11.0)
    rows, field = stand.together, field_season(weather, spread(), stand)
    wheat, bean = field.crops
    depth = field.ground.depth[:, 0]
    assert np.array_equal(depth[:100], wheat.root_depth[:100])
    assert np.array_equal(depth[101:], jnp.maximum(wheat.root_depth, bean.root_depth)[101:])
    there = np.asarray(standing(field, rows))
    assert not there[:100, 1].any() and there[100, 1]
    assert np.array_equal(bean.total_growth[:101], np.zeros(101))
    over = np.asarray(field_is_over(field, rows))
    last = int(np.argmax(over[:, 0]))
    assert np.array_equal(over[:, 0], over[:, 1]) and over[last].all() and float(wheat.day[-1]) == last
    assert min(float(wheat.stage[-1]), float(bean.stage[-1])) == 2.0
    assert not there[last].any()
    ripe = int(np.argmax(np.asarray(wheat.stage) >= 2.0))
    assert ripe < last and np.ptp(np.asarray(wheat.grain_mass[ripe:])) == 0.0
    light = np.asarray(canopy(field, rows).light)
    assert np.all(light[ripe:, 0] == 0.0) and light[ripe, 1] > 0.01


def test_fields_computed_together_are_the_fields_by_themselves() -> None:
    weather, doses = made_up_weather(16), spread(0.05)
    stand = pair()
    together = field_season(weather, doses, with_soles(stand)).crops
    apart = [*field_season(weather, doses, stand).crops]
    apart += [field_season(weather, doses, sole(stand, number)).crops[0] for number in (0, 1)]
    for one, other in zip(together, apart, strict=True):
        assert max(differences(one, other).values()) < ROUNDING


def test_swapping_the_crops_changes_nothing() -> None:
    weather, plain = made_up_weather(7), spread(0.05)
    forward = field_season(weather, plain, pair())
    swapped = make_stand((legume(), cereal()), emergence=EMERGENCE[::-1])
    backward = field_season(weather, plain, swapped)
    for one, other in zip(forward.crops, reversed(backward.crops), strict=True):
        assert max(differences(one, other).values()) < ROUNDING


def test_a_legume_leaves_the_nitrogen_of_the_soil_to_its_neighbour() -> None:
    weather, wet = made_up_weather(8, wetness=4.0), {"WCI": 0.4, "WCSUBS": 0.4}
    taken = []
    for fixed in (0.8, 0.0):
        stand = make_stand((cereal(), legume(NFIXF=fixed)), emergence=(0.0, 0.0), soil=wet)
        taken.append(float(field_season(weather, spread(), stand).crops[0].nitrogen_uptake[-1]))
    alone = field_season(weather, spread(), sole(stand, 0)).crops[0].nitrogen_uptake[-1]
    assert taken[1] < taken[0] < float(alone)


def test_a_band_feeds_its_own_crop_and_spreads_in_the_placement_time() -> None:
    weather, wet = made_up_weather(9, wetness=4.0), {"WCI": 0.4, "WCSUBS": 0.4, "TNSOILI": 1.0}
    dose, none = np.zeros(DAYS), np.zeros(DAYS)
    dose[60] = 10.0
    taken = []
    for banded in ((dose, none), (none, dose)):
        management = dataclasses.replace(spread(), banded=np.stack(banded, axis=-1))
        stand = pair(soil=wet, emergence=(0.0, 0.0), sharing={"placement_time": 200.0})
        taken.append(float(field_season(weather, management, stand).crops[0].nitrogen_uptake[-1]))
    assert taken[0] > 1.05 * taken[1]
    management = dataclasses.replace(spread(), banded=np.stack([dose, none], axis=-1))
    bare = field_season(weather, management, pair(soil=wet, emergence=(150.0, 150.0)))
    assert float(bare.ground.band[61, 0]) == pytest.approx(7.0)
    assert float(bare.ground.band[61 + 14, 0]) == pytest.approx(7.0 * (1.0 - 1.0 / 14.0) ** 14)


def test_nitrate_inhibits_fixation_where_asked_for() -> None:
    weather, rich = made_up_weather(10), {"WCI": 0.4, "WCSUBS": 0.4, "TNSOILI": 30.0}
    fixed = []
    for inhibition in (0.0, 1.0):
        stand = pair(soil=rich, sharing={"fixation_inhibition": inhibition})
        fixed.append(float(field_season(weather, spread(), stand).crops[1].fixed_nitrogen[-1]))
    assert 0.0 < fixed[1] < 0.95 * fixed[0]


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["mixed", "strips"])
def test_gradients_are_finite_and_right(layout: str) -> None:
    weather = made_up_weather(11, wetness=3.0)

    def grain(values: Any) -> Any:
        stand = pair(layout=layout)
        crop = dataclasses.replace(
            stand.crops[1],
            plant=dataclasses.replace(stand.crops[1].plant, light_extinction=values[1]),
            height=dataclasses.replace(stand.crops[1].height, maximum=values[2]),
        )
        dose = jnp.zeros(DAYS).at[60].set(values[0])
        field = field_season(weather, spread(dose), dataclasses.replace(stand, crops=(stand.crops[0], crop)))
        return field.crops[0].grain_mass[-1] + field.crops[1].grain_mass[-1]

    at = np.array([4.0, 0.8, 1.5])
    value, slopes = jax.jit(grain), np.asarray(jax.jit(jax.grad(grain))(at))
    assert np.all(np.isfinite(slopes)) and slopes[0] > 0.0
    for index in range(3):
        step = 1e-6 * at * (np.arange(3) == index)
        steep = (value(at + step) - value(at - step)) / (2.0 * step[index])
        assert slopes[index] == pytest.approx(float(steep), rel=1e-3, abs=1e-3)


@pytest.mark.slow
def test_gradients_by_everything_are_finite_in_single_precision() -> None:
    single: Any = jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float32), (made_up_weather(12), farmed(12), pair()))

    def grain(weather: Any, management: Any, stand: Any) -> Any:
        return sum(crop.grain_mass[-1] for crop in field_season(weather, management, stand).crops)

    slopes = jax.jit(jax.grad(grain, argnums=(0, 1, 2)))(*single)
    assert all(np.all(np.isfinite(leaf)) for leaf in jax.tree.leaves(slopes))


def test_a_batch_of_fields_is_many_fields() -> None:
    seeds = (13, 14, 15)
    each = [field_season(made_up_weather(seed), farmed(seed), pair()) for seed in seeds]
    weather, management = (
        jax.tree.map(lambda *leaves: np.stack(leaves), *(make(seed) for seed in seeds))
        for make in (made_up_weather, farmed)
    )
    together = jax.vmap(field_season, in_axes=(0, 0, None))(weather, management, pair())
    for number, single in enumerate(each):
        one = jax.tree.map(lambda leaf, n=number: leaf[n], together)
        for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(single), strict=True):
            assert np.asarray(a) == pytest.approx(np.asarray(b), abs=ROUNDING)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"emergence": (0.0,)}, "2 numbers, one per crop"),
        ({"emergence": (0.0, -1.0)}, "emergence"),
        ({"sown_share": (0.5, float("nan"))}, "sown_share"),
        ({"layout": "rows"}, "unknown layout 'rows'"),
        ({"soil": {"LUE": 3.0}}, "load_crop"),
        ({"soil": {"WCSUBS": 3.0}}, "subsoil_water_content"),
        ({"sharing": {"placement_time": 0.0}}, "placement_time"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PhytotronError, match=message):
        pair(**options)


def test_three_crops_are_too_many() -> None:
    with pytest.raises(PhytotronError, match="one or two"):
        make_stand((cereal(), legume(), cereal()))
