"""The task of two crops: episodes, balances, rewards, batches and what is refused."""

from __future__ import annotations

import dataclasses
import functools
import pickle
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from wheat_episodes import KEY, Played, in_season, play, season

import phytotron
from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.environments.field.seasons import choose_seasons
from phytotron.environments.intercrop import Intercrop, Neighbours, WeightedSum
from phytotron.environments.intercrop.growth import Growth
from phytotron.environments.intercrop.observations import CROP_OBSERVATIONS
from phytotron.environments.wheat import Continuous
from phytotron.environments.wheat.single_dose import schedule
from phytotron.models.crops import load_crop
from phytotron.weather.field_weather import named_field_weather
from phytotron.weather.table import WeatherError

ID = "phytotron/Intercrop-v0"
STEPS = 36
# The same operations, fused differently by the compiler.
ROUNDING = 1e-9
BALANCE = 1e-10  # relative to what went in
SPRING = {10: 4, 14: 4}  # 80 kg ha-1 each on 19 March and 16 April


YEARS = (1983, 1985, 1991)


@functools.cache
def make(interaction: str = "paper", **options: Any) -> Intercrop:
    return Intercrop(interaction=interaction, years=YEARS, precision="float64", **options)


@pytest.fixture(scope="module")
def env() -> Intercrop:
    return make("paper")


@pytest.fixture(scope="module")
def actions() -> Any:
    return np.random.default_rng(3).integers(0, 7, STEPS, np.int32)


@pytest.fixture(scope="module")
def played(env: Intercrop, actions: Any) -> Played:
    return play(env, actions)


def doses(of: dict[int, int]) -> Any:
    chosen = np.zeros(STEPS, np.int32)
    for step, action in of.items():
        chosen[step] = action
    return chosen


def test_decisions_fall_on_8_january_and_every_week_from_there(env: Intercrop, played: Played) -> None:
    observation, start = env.reset(KEY)
    assert str(env.date(start))[4:] == "-01-08"
    assert played.state.day[: played.steps].tolist() == [7 + 7 * k for k in range(1, played.steps + 1)]
    assert observation.shape == (71,) and env.action_space.n == 7
    assert env.observation_space.names[:36] == CROP_OBSERVATIONS
    assert all(map(env.observation_space.contains, [observation, *played.observation]))


def test_the_season_ends_with_the_first_crop_and_then_stands_still(env: Intercrop, played: Played) -> None:
    last = played.steps - 1
    stages = np.stack([crop.stage for crop in played.state.crops])
    assert stages[:, last].max() == 2.0 and stages[:, last - 1].max() < 2.0
    assert played.terminated.tolist() == [k >= last for k in range(STEPS)] and not played.truncated.any()
    assert 26 <= played.steps <= env.episode_steps
    assert not played.reward[played.steps :].any() and not played.info["growth"][played.steps :].any()
    assert np.all(played.state.farming.total_dose[last:] == played.state.farming.total_dose[last])
    assert np.all(played.state.day[last:] == played.state.day[last])


def test_without_fertiliser_every_reward_is_zero(env: Intercrop) -> None:
    for number in range(3):
        zero = play(env, np.zeros(STEPS, np.int32), in_season(env, number))
        assert np.abs(zero.reward).max() < ROUNDING
        assert zero.info["growth"].sum() > 300.0


def test_the_return_is_the_gain_in_grain_less_beta_times_all_nitrogen(env: Intercrop, played: Played) -> None:
    zero = play(env, np.zeros(STEPS, np.int32))
    gain = sum(crop.grain_mass[-1] for crop in played.state.crops) - sum(c.grain_mass[-1] for c in zero.state.crops)
    nitrogen = 2.0 * played.state.farming.total_dose[-1] / 10.0  # each crop gets the dose
    assert played.episode_return == pytest.approx(gain - 10.0 * nitrogen, abs=1e-7)
    assert played.info["nitrogen"].sum() == pytest.approx(10.0 * nitrogen)


def test_carbon_and_nitrogen_of_both_crops_close(env: Intercrop, played: Played) -> None:
    stand = played.state.stand
    for number, (crop, plant) in enumerate(zip(stand.crops, (c.plant for c in env.default_params.crops), strict=True)):
        start = plant.initial_leaf_mass + plant.initial_stem_mass + plant.initial_grain_mass + plant.initial_root_mass
        living = crop.leaf_mass + crop.stem_mass + crop.grain_mass + crop.root_mass
        held = living + crop.dead_leaf_mass + crop.dead_root_mass + stand.lost_mass[number]
        assert held == pytest.approx(start + crop.total_growth, rel=BALANCE)
        first = (
            plant.initial_leaf_nitrogen * plant.initial_leaf_mass
            + plant.initial_stem_nitrogen * plant.initial_stem_mass
            + plant.initial_root_nitrogen * plant.initial_root_mass
        )
        organs = crop.leaf_nitrogen + crop.stem_nitrogen + crop.grain_nitrogen + crop.root_nitrogen
        lost = crop.leaf_nitrogen_loss + crop.root_nitrogen_loss + stand.lost_nitrogen[number]
        assert organs + lost == pytest.approx(first + crop.nitrogen_uptake + crop.fixed_nitrogen, rel=BALANCE)
        assert np.all(stand.lost_mass[number] > 0.0)


def test_nitrogen_in_the_two_soils_closes(env: Intercrop, played: Played) -> None:
    stand, plants = played.state.stand, [crop.plant for crop in env.default_params.crops]
    steps = played.steps - 1  # in the last interval a crop that ripens stops to count
    for sign, crop, plant in zip((-1.0, 1.0), stand.crops, plants, strict=True):
        dose = played.state.farming.total_dose / 10.0
        came = plant.initial_soil_nitrogen + plant.mineralisation * crop.day + plant.nitrogen_recovery * dose
        left = crop.soil_nitrogen + crop.nitrogen_uptake - sign * stand.transferred_nitrogen
        assert left[:steps] == pytest.approx(came[:steps], rel=BALANCE)
        assert np.all(crop.soil_nitrogen >= -1e-12)
    assert np.abs(stand.transferred_nitrogen).max() > 0.01


@pytest.mark.slow
def test_effects_on_the_running_crops_are_bounded_and_felt(env: Intercrop, played: Played) -> None:
    effects = played.info["growth_effect"][: played.steps]
    assert np.all((effects >= 0.0) & (effects <= 1.0)) and effects.min() < 0.97
    alone = play(make("none"), doses(SPRING))
    together = play(env, doses(SPRING))
    for one, other in zip(alone.state.crops, together.state.crops, strict=True):
        assert other.grain_mass[-1] < one.grain_mass[-1]
    assert np.all(alone.info["growth_effect"] == 1.0) and not np.any(alone.info["lost_mass"])


@pytest.mark.slow
@pytest.mark.parametrize("interaction", ["paper", "printed", "none"])
def test_fertiliser_matters(interaction: str) -> None:
    env = make(interaction)
    for number in range(len(YEARS)):
        params = in_season(env, number)
        zero, fed = (play(env, chosen, params).state.crops[0].grain_mass[-1] for chosen in (doses({}), doses(SPRING)))
        assert fed > 1.2 * zero


@pytest.mark.slow
def test_without_interaction_each_crop_grows_as_it_does_alone() -> None:
    env = make("none")
    made = play(env, doses(SPRING), in_season(env, 0))
    applied = [(8 + 7 * step, 20.0 * action) for step, action in SPRING.items()]
    alone = schedule(choose_seasons("embedded_wheat:train", YEARS[0], None), applied)
    assert made.state.crops[0].grain_mass[-1] == pytest.approx(alone.grain[0], abs=ROUNDING)


@pytest.mark.slow
def test_without_shade_exchanging_the_crops_changes_nothing_but_the_order(env: Intercrop, actions: Any) -> None:
    factors = dataclasses.replace(env.default_params.factors, light=0.0)
    exchanged = make(crops=("faba_bean", "winter_wheat"))
    one, two = (play(each, actions, each.params(factors=factors)) for each in (env, exchanged))
    assert one.reward == pytest.approx(two.reward, abs=1e-8)
    for mine, theirs in zip(one.state.crops, two.state.crops[::-1], strict=True):
        assert mine.grain_mass == pytest.approx(theirs.grain_mass, abs=1e-8)
    assert one.info["growth_effect"] == pytest.approx(two.info["growth_effect"][:, ::-1], abs=1e-9)


@pytest.mark.slow
def test_the_season_can_end_with_both_crops(actions: Any) -> None:
    env = make(ends="both")
    made = play(env, actions)
    stages = np.stack([crop.stage for crop in made.state.crops])
    first = int(np.argmax(stages.max(axis=0) >= 2.0))
    assert made.steps - 1 > first
    # From the week after the harvest of the first crop on, neither loses anything.
    assert np.all(np.diff(made.info["lost_mass"][first:], axis=0) == 0.0)


@pytest.mark.slow
def test_a_crop_that_emerges_later_stands_still_until_then() -> None:
    env = make(emergence=(0, 89), ends="both")
    made = play(env, np.zeros(STEPS, np.int32))
    waiting = made.state.day <= 89
    late = made.state.crops[1]
    assert np.all(late.leaf_mass[waiting] == late.leaf_mass[0]) and np.all(late.stage[waiting] == 0.0)
    assert not np.any(made.info["lost_mass"][waiting])
    assert late.stage[-1] > 1.0 and late.grain_mass[-1] > 100.0


@pytest.mark.slow
def test_single_steps_compiled_loops_and_batches_agree(env: Intercrop, actions: Any, played: Played) -> None:
    _, state = env.reset(KEY)
    for step in range(6):
        observation, state, reward, *_ = env.step(KEY, state, actions[step])
        assert np.asarray(observation) == pytest.approx(played.observation[step], rel=ROUNDING, abs=ROUNDING)
        assert float(reward) == pytest.approx(played.reward[step], abs=ROUNDING)
    both = jnp.stack([actions, actions[::-1]])
    batch = jax.jit(jax.vmap(lambda params, actions, key: season(env, params, actions, key), (None, 0, None)))
    observations, _, rewards, *_ = batch(env.default_params, both, KEY)
    assert np.asarray(observations[0]) == pytest.approx(played.observation, rel=ROUNDING, abs=ROUNDING)
    assert np.asarray(rewards[1]) == pytest.approx(play(env, actions[::-1]).reward, abs=1e-8)


@pytest.mark.slow
def test_a_copy_of_the_environment_gives_the_same_episode_to_the_bit(env: Intercrop, actions: Any) -> None:
    copy = pickle.loads(pickle.dumps(env))
    same = map(np.array_equal, jax.tree.leaves(copy.reset(KEY)), jax.tree.leaves(env.reset(KEY)))
    assert all(same)


@pytest.mark.slow
def test_factors_may_differ_within_a_batch_with_their_run_without_fertiliser(env: Intercrop) -> None:
    def zero(water: Any) -> Any:
        params = env.params(factors=dataclasses.replace(env.default_params.factors, water=water))
        made = season(env, params, doses({}), KEY)
        return made[5]["growth"].sum(), jnp.abs(made[2]).max()

    grain, rewards = jax.jit(jax.vmap(zero))(jnp.array([0.0, 0.5]))
    assert grain[0] > grain[1] and rewards.max() < 1e-8


def test_costs_count_what_is_above_the_limits(env: Intercrop, actions: Any) -> None:
    limits = dataclasses.replace(env.default_params.limits, nitrogen=90.0)
    made = play(env, actions, env.params(limits=limits))
    assert made.info["costs"]["nitrogen"] == pytest.approx(np.maximum(made.state.farming.total_dose - 90.0, 0.0))


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_everything_has_the_precision_that_was_asked_for(precision: str) -> None:
    made = Intercrop(precision=precision, years=1991)
    _, state = jax.eval_shape(made.reset, KEY)
    outcome = jax.eval_shape(made.step, KEY, state, np.int32(0))
    assert {str(leaf.dtype) for leaf in jax.tree.leaves((state, outcome))} == {precision, "int32", "bool"}


@pytest.mark.slow
def test_observations_of_all_kinds_and_rewards_of_ones_own() -> None:
    env = phytotron.make(
        ID,
        observation=["crop_2.grain_mass", "crop_1.nitrogen_index", "weather", "farming"],
        reward=WeightedSum((1.0, "growth"), (2.0, lambda outcome: -outcome.dose)),
        doses=Continuous(50),
        interval=10,
        years=1983,
    )
    observation, state = env.reset(KEY)
    assert observation.shape == (2 + 50 + 4,) and int(state.day) == 10
    observation, _, reward, *_, info = env.step(KEY, state, np.array([30.0], np.float32))
    assert float(reward) == pytest.approx(float(info["growth"].sum()) - 2.0 * 2.0 * 3.0, rel=1e-5)
    assert np.asarray(observation[-4:]) == pytest.approx([30.0, 30.0, 1.0, 20.0])
    seen, first = (np.asarray(make(observation=each).reset(KEY)[0]) for each in ("raw", "paper"))
    assert seen.shape == (106,)
    assert np.array_equal(seen[18:53], seen[71:]) and np.array_equal(seen[18:53], first[36:])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"crops": ("winter_wheat", "faba_been")}, UnknownNameError, "faba_bean"),
        ({"crops": ("winter_wheat",)}, ValueRangeError, "pair"),
        ({"crops": "winter_wheat"}, ValueRangeError, "pair"),
        ({"crops": ("winter_wheat", 3)}, ValueRangeError, "load_crop"),
        ({"interaction": "papers"}, UnknownNameError, "paper"),
        ({"interaction": []}, ValueRangeError, "interaction is .*frozen=True"),
        ({"ends": "first"}, UnknownNameError, "either"),
        ({"emergence": (0, -1)}, ValueRangeError, "emergence"),
        ({"emergence": 10}, ValueRangeError, "emergence"),
        ({"factors": {"light": 2.0}}, ValueRangeError, "Factors.light"),
        ({"factors": {"shade": 0.1}}, UnknownNameError, "shade"),
        ({"doses": (20, 0)}, ValueRangeError, "doses"),
        ({"doses": ()}, ValueRangeError, "doses"),
        ({"interval": 0}, ValueRangeError, "interval"),
        ({"precision": "float16"}, UnknownNameError, "float32"),
        ({"observation": ["crop_3.stage"]}, UnknownNameError, "crop_1.stage"),
        ({"reward": "cropgym"}, UnknownNameError, "intercropgym"),
        ({"reward_parameters": {"beta": -1.0}}, ValueRangeError, "nitrogen_penalty"),
        ({"years": 1850}, ValueRangeError, "years"),
    ],
)
def test_wrong_options_are_refused_with_a_remedy(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Intercrop(**options)


def test_tasks_that_grow_their_crops_alike_share_what_is_compiled() -> None:
    on_the_command_line: Any = [0, 40]  # where options are lists
    first = Intercrop(emergence=on_the_command_line, years=YEARS)
    held = Growth._in_every_season._cache_size()
    second = Intercrop(emergence=(0, 40), years=YEARS[:1], doses=(0.0, 30.0))
    assert first.growth == second.growth and Growth._in_every_season._cache_size() == held


def test_weather_without_vapour_pressure_is_refused() -> None:
    held = named_field_weather("embedded_wheat:test")
    with pytest.raises(WeatherError, match="vapour_pressure"):
        Intercrop(weather=dataclasses.replace(held, vapour_pressure=None))


def test_float64_has_to_be_switched_on() -> None:
    with jax.enable_x64(False), pytest.raises(PhytotronError, match="jax_enable_x64"):
        Intercrop(precision="float64")


@pytest.mark.slow
def test_an_interplay_of_ones_own_can_be_given() -> None:
    @dataclasses.dataclass(frozen=True)
    class Patient(Neighbours):
        def ended(self, stand: Any, day: Any, season: Any) -> Any:
            return jnp.zeros((), bool), season.weather_ends(day)

    own = Intercrop(interaction=Patient(None), years=1983)
    made = play(own, np.zeros(STEPS, np.int32))
    assert not made.terminated.any() and np.all(made.info["growth_effect"] == 1.0)


@pytest.mark.slow
def test_crops_of_ones_own_can_be_given() -> None:
    env = Intercrop(crops=(load_crop("winter_wheat", LUE=2.0), "winter_wheat"), years=1983, interaction="none")
    made = play(env, np.zeros(STEPS, np.int32))
    weak, usual = made.state.crops
    assert weak.total_growth[-1] < 0.95 * usual.total_growth[-1]
