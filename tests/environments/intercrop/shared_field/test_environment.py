"""The task of one shared field: episodes, rewards of two decision makers, land equivalents, batches, refusals."""

from __future__ import annotations

import functools
import pickle
from types import SimpleNamespace
from typing import Any

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from wheat_episodes import KEY, Played, in_season, play, season

import phytotron
from phytotron.core.errors import PhytotronError
from phytotron.environments.field.seasons import dated
from phytotron.environments.intercrop import FIELD_REWARDS, Economic, IntercropField, Outcome, WeightedFieldSum
from phytotron.environments.intercrop.shared_field.interplay import SharedField
from phytotron.environments.wheat import Continuous, RewardParameters
from phytotron.models.crops import Crop, load_crop
from phytotron.models.intercropping.field import field_harvest
from phytotron.models.intercropping.stand import FieldManagement
from phytotron.models.lintul3 import Weather

ID = "phytotron/IntercropField-v0"
YEARS = (1983, 1991)
STEPS = 36
# The same operations, fused differently by the compiler.
ROUNDING = 1e-8


@functools.cache
def make(**options: Any) -> IntercropField:
    return IntercropField(years=YEARS, precision="float64", **options)


@pytest.fixture(scope="module")
def env() -> IntercropField:
    return make()


@pytest.fixture(scope="module")
def actions() -> Any:
    chosen = np.zeros(STEPS, np.int32)
    chosen[[8, 12, 13]] = 3, 1, 2
    return chosen


@pytest.fixture(scope="module")
def played(env: IntercropField, actions: Any) -> Played:
    return play(env, actions, in_season(env, 1))  # type: ignore[arg-type]


def test_the_season_ends_with_the_latest_harvest_or_both_crops_and_then_stands_still(
    env: IntercropField, played: Played
) -> None:
    last = played.steps - 1
    assert played.terminated.tolist() == [k >= last for k in range(STEPS)] and not played.truncated.any()
    assert 31 <= played.steps <= env.episode_steps
    assert played.state.stand.fields.plants.stage[last, 0] == 2.0
    assert not played.reward[played.steps :].any() and not played.info["rewards"][played.steps :].any()
    assert not played.info["land_equivalent_ratio"][np.arange(STEPS) != last].any()
    assert all(map(env.observation_space.contains, played.observation))


def test_the_harvest_is_that_of_the_model_under_the_same_doses(env: IntercropField, played: Played) -> None:
    params = env.default_params
    held = params.weather
    weather = Weather(
        **dict(zip(Weather.__dataclass_fields__, np.moveaxis(np.asarray(held.values[1]), -1, 0), strict=True))
    )
    given = np.zeros(held.days)
    given[[64, 92, 99]] = 6.0, 2.0, 4.0  # the day after decisions 8, 12 and 13
    crops: Any = tuple(Crop(plant=dated(each.plant, held.leap[1]), height=each.height) for each in params.crops)
    last = field_harvest(weather, FieldManagement(nitrogen=given), SharedField().stand(crops, params.factors))
    assert played.state.stand.fields.plants.grain_mass[-1] == pytest.approx(
        np.asarray(last.plants.grain_mass), rel=1e-9
    )


def test_rewards_of_both_crops_make_the_reward_and_the_return_is_the_gain_less_the_nitrogen(
    env: IntercropField, played: Played
) -> None:
    assert played.info["rewards"].sum(-1) == pytest.approx(played.reward, abs=ROUNDING)
    zero = play(env, np.zeros(STEPS, np.int32), in_season(env, 1))  # type: ignore[arg-type]
    assert np.abs(zero.reward).max() < ROUNDING and np.abs(zero.info["rewards"]).max() < ROUNDING
    gain = played.state.stand.fields.plants.grain_mass[-1, :2] - zero.state.stand.fields.plants.grain_mass[-1, :2]
    assert gain[0] > 0.0 > gain[1]  # nitrogen lets wheat shade the beans
    assert played.episode_return == pytest.approx(gain.sum() - 10.0 * 12.0, abs=ROUNDING)
    assert played.info["dose"][8] == pytest.approx([30.0, 30.0]) and played.info["nitrogen"].sum() == 120.0


def test_land_equivalents_compare_with_sole_crops_of_the_same_season(env: IntercropField, played: Played) -> None:
    grain = played.state.stand.fields.plants.grain_mass[played.steps - 1]
    assert played.info["land_equivalents"][played.steps - 1] == pytest.approx(grain[:2] / grain[2:])
    assert played.info["land_equivalent_ratio"][played.steps - 1] == pytest.approx((grain[:2] / grain[2:]).sum())
    assert np.all(played.info["land_equivalents"][:5] == 0.0) and np.all(np.isfinite(played.info["land_equivalents"]))
    measure = next(each for each in env.measures if each.quantity.name == "land_equivalent_ratio")
    total = measure.of(played.info)[: played.steps].sum()
    assert 1.0 < total < 1.6


def test_other_rewards_are_made_of_the_same_harvest(played: Played) -> None:
    info, last = played.info, np.arange(STEPS)[:, None] == played.steps - 1
    outcome = Outcome(
        growth=info["growth"],
        zero_growth=info["zero_growth"],
        dose=info["dose"] / 10.0,
        total_dose=info["total_dose"] / 10.0,
        terminated=last,
        ended=last,
        stand=played.state.stand,
        crops=(load_crop("winter_wheat"), load_crop("faba_bean")),
        reward=RewardParameters(),
    )
    grain, dose = info["growth"].sum(0), info["dose"].sum(0)
    expected = {
        "grain": info["rewards"].sum(0),
        "land_equivalent_ratio": info["land_equivalents"][played.steps - 1],
        "economic": 10.0 * np.array([0.2, 0.25]) * grain - 0.4 * dose,
        "growth": grain,
        "without_baseline": grain - dose,
    }
    assert set(expected) == set(FIELD_REWARDS)
    for name, of_crops in expected.items():
        assert np.asarray(FIELD_REWARDS[name](outcome)).sum(0) == pytest.approx(of_crops, rel=1e-9), name


def test_grain_has_the_price_of_its_crop_in_whichever_order_crops_are_named() -> None:
    growth, wheat, bean = np.array([100.0, 100.0]), load_crop("spring_wheat"), load_crop("faba_bean")
    for crops, expected in (((wheat, bean), [200, 250]), ((bean, wheat), [250, 200]), ((wheat, wheat), [200, 200])):
        outcome = SimpleNamespace(growth=growth, dose=np.zeros(2), crops=crops)
        assert np.asarray(Economic()(outcome)) == pytest.approx(expected)  # type: ignore[arg-type]
        own = np.asarray(Economic((0.3, 0.1))(outcome))  # type: ignore[arg-type]
        assert own == pytest.approx([300, 100])


@pytest.mark.slow
def test_a_reward_of_one_number_is_shared_and_weighted_sums_add_up(actions: Any, played: Played) -> None:
    env = make(reward=lambda outcome: outcome.growth.sum())
    made = play(env, actions, in_season(env, 1))  # type: ignore[arg-type]
    assert made.info["rewards"][:, 0] == pytest.approx(made.info["growth"].sum(-1) / 2.0)
    env = make(reward=WeightedFieldSum((1.0, "grain"), (500.0, "land_equivalent_ratio"), (0.0, Economic(nitrogen=1.0))))
    made = play(env, actions, in_season(env, 1))  # type: ignore[arg-type]
    ratio = played.info["land_equivalent_ratio"].sum()
    assert made.episode_return == pytest.approx(played.episode_return + 500.0 * ratio, abs=ROUNDING)


@pytest.mark.slow
def test_doses_per_crop_count_the_first_crop_fastest_and_go_to_its_band() -> None:
    env = make(doses_per_crop=True)
    assert env.action_space.n == 49 and env.action_space.names[8] == "20 and 20 kg/ha"
    _, state = env.reset(KEY)
    _, after, _, _, _, info = env.step(KEY, state, 2 + 7 * 1)
    assert np.asarray(info["dose"]) == pytest.approx([40.0, 20.0]) and float(info["total_dose"]) == 60.0
    band = np.asarray(after.stand.fields.ground.band)
    kept = (1.0 - 1.0 / 14.0) ** 5  # applied on the second day of the interval
    assert band[1] == pytest.approx(2.0 * 0.7 * kept) and 0.0 < band[0] <= 4.0 * 0.7 * kept and not band[2:].any()


@pytest.mark.slow
def test_continuous_doses_have_slopes() -> None:
    env = make(doses=Continuous(100), doses_per_crop=True)
    assert env.action_space.shape == (2,)
    _, start = env.reset(KEY)

    def after(dose: Any) -> Any:
        _, state, reward, *_ = env.step(KEY, start, dose)
        return reward + 100.0 * (state.stand.fields.plants.soil_nitrogen[0] + state.stand.fields.ground.band[:2].sum())

    # In January a dose costs beta and lies in the soil, less what is never recovered and what wheat takes up.
    slopes = np.asarray(jax.grad(after)(jnp.array([20.0, 20.0])))
    assert slopes == pytest.approx([6.0, 6.0], abs=0.5)
    _, _, _, _, _, info = env.step(KEY, start, jnp.array([200.0, 1.0]))
    assert np.asarray(info["dose"]) == pytest.approx([100.0, 1.0]) and not bool(info["action_invalid"])


@pytest.mark.slow
def test_single_steps_compiled_loops_and_batches_agree(env: IntercropField, actions: Any, played: Played) -> None:
    params = in_season(env, 1)  # type: ignore[arg-type]
    _, state = env.reset(KEY, params)
    for step in range(3):
        observation, state, reward, *_ = env.step(KEY, state, actions[step], params)
        assert np.asarray(observation) == pytest.approx(played.observation[step], rel=ROUNDING, abs=ROUNDING)
        assert float(reward) == pytest.approx(played.reward[step], abs=ROUNDING)
    both = jnp.stack([actions, actions[::-1]])
    batch = jax.jit(jax.vmap(lambda each: season(env, params, each, KEY)))  # type: ignore[arg-type]
    observations, _, rewards, *_ = batch(both)
    assert np.asarray(observations[0]) == pytest.approx(played.observation, rel=ROUNDING, abs=ROUNDING)
    assert np.asarray(rewards[1]) == pytest.approx(play(env, actions[::-1], params).reward, abs=ROUNDING)  # type: ignore[arg-type]


@pytest.mark.slow
def test_everything_has_the_precision_that_was_asked_for_and_can_be_pickled(env: IntercropField) -> None:
    single = IntercropField(years=1991)
    for made, precision in ((env, "float64"), (single, "float32")):
        _, state = jax.eval_shape(made.reset, KEY)
        outcome = jax.eval_shape(made.step, KEY, state, np.int32(0))
        assert {str(leaf.dtype) for leaf in jax.tree.leaves((state, outcome))} == {precision, "int32", "bool"}
    copy = pickle.loads(pickle.dumps(env))
    one, other = (jax.tree.leaves(made.reset(KEY)) for made in (env, copy))
    assert all(map(np.array_equal, one, other))


def test_a_crop_is_seen_from_its_emergence_on(env: IntercropField, played: Played) -> None:
    at = {name: index for index, name in enumerate(env.observation_space.names)}
    for name in ("crop_2.leaf_area_index", "crop_2.height", "crop_2.light_share"):
        course = played.observation[:, at[name]]
        assert not course[:13].any() and course[14] > 0.0  # decisions of 9 and 16 April
    soil = played.observation[:, at["soil.nitrogen"]]
    assert soil == pytest.approx(played.state.stand.fields.plants.soil_nitrogen[:, 0])


def test_starts_dates_and_documentation(env: IntercropField) -> None:
    assert [label.split()[-1] for label in env.starts().labels] == ["1983", "1991"]
    _, state = env.reset(KEY)
    assert str(env.date(state))[4:] == "-01-08"
    assert set(env.fields) >= {"observation", "action", "factors", "reward parameters"}
    assert [q.name for q in env.fields["action"]] == ["nitrogen"]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*is out of date:DeprecationWarning")  # which the first version is
@pytest.mark.parametrize("id", [ID, "phytotron/IntercropField-v1"])
def test_gymnasium_finds_nothing_to_complain_about(id: str) -> None:
    made = gymnasium.make(id, years=1991)
    check_env(made.unwrapped)


def test_layouts_soils_and_factors_change_the_field(env: IntercropField) -> None:
    other = IntercropField(
        years=YEARS, precision="float64", layout="strips", soil={"TNSOILI": 2.0}, factors={"sown_share_2": 0.1}
    )
    one, two = (made.default_params.zero_grain[..., -1] for made in (env, other))
    assert np.all(np.asarray(two)[0] < 0.9 * np.asarray(one)[0])
    for crop in other.default_params.crops:
        assert crop.plant.initial_soil_nitrogen == 2.0 and crop.plant.subsoil_water_content == 0.4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"layout": "circles"}, "unknown layout"),
        ({"soil": {"LUE": 2.0}}, "load_crop"),
        ({"soil": {"WCX": 2.0}}, "WCX"),
        ({"factors": {"emergence_2": -1.0}}, "emergence_2"),
        ({"reward": "intercropgym"}, "unknown reward"),
        ({"observation": "soil.colour"}, "unknown observable"),
        ({"crops": ("winter_wheat",)}, "a pair"),
        ({"doses": (0, -20)}, "doses"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PhytotronError, match=message):
        phytotron.make(ID, **options)
