"""Two crops against recorded runs of InterCropGym's code: every effect, every state, observation and reward.

The recorded runs are .npz files of two kinds, recognised by their arrays.

interaction table
    `table` (rows, columns) and the names `columns`: factors (par_*), what two crops show (in_obs1_*, in_st1_*, and the
    same of crop 2), and what the code makes of it: changed copies (out_obs1_*, out_st1_*, ...), effects and what they
    are made of.
episode
    `crop1`, `crop2` (names of the crop files), `year`, `actions` (steps,) in units of 20 kg ha-1, `obs` (steps + 1,
    106), `rewards`, `reward1`, `reward2`, `done`, `truncated` (steps,), the states `columns` of both crops by day
    `daily1`, `daily2`, those without fertiliser `base1`, `base2`, and the `weather` by day with its `weather_cols`
    (rain and evaporation in cm).
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.controllers.base import Schedule
from phytotron.core.controller import Memory
from phytotron.core.fields import names, quantities, symbols, unstack
from phytotron.environments.field.farming import KG_HA
from phytotron.environments.intercrop import Intercrop, published_code
from phytotron.environments.intercrop.observations import CropObservation, observe_sole_crop
from phytotron.environments.intercrop.task import DOSES
from phytotron.episodes.recording import run_episodes
from phytotron.models.crops import Crop
from phytotron.models.crops.crop import Height
from phytotron.models.intercropping.effects import Effects, Factors, Interaction, Neighbour, published_effects
from phytotron.models.intercropping.published import PUBLISHED_CROPS, published_crop
from phytotron.models.lintul3 import Management, Parameters, Weather, initial_state, next_morning, processes
from phytotron.verification.archives import Arrays, Floats, archives
from phytotron.verification.lintul3 import stacked_parameters
from phytotron.verification.result import FileResult, StateError, Verification
from phytotron.weather.field_weather import FieldWeather, concatenated

MILLIMETRES = 10.0  # per centimetre
OBSERVED = 106

CROP_FILES = MappingProxyType({"lintul3_winterwheat": "winter_wheat"} | {name: name for name in PUBLISHED_CROPS})
# Of the inputs of the model in their order: what makes our unit of the recorded one.
WEATHER_SCALES = MappingProxyType(
    {"IRRAD": 1.0, "TMIN": 1.0, "TMAX": 1.0, "RAIN": MILLIMETRES, "ES0": MILLIMETRES, "ET0": MILLIMETRES}
)
FLAGS = ("done", "truncated")
REWARDS = ("rewards", "reward1", "reward2")
DAILY = ("daily1", "daily2", "base1", "base2")


@dataclass(frozen=True, eq=False)
class InteractionTable:
    """The results of the published code for two crops, column by column."""

    name: str
    columns: dict[str, Floats]


@dataclass(frozen=True, eq=False)
class Episode:
    """A recorded episode."""

    name: str
    crops: tuple[str, str]
    actions: Floats  # numbers of doses
    weather: FieldWeather  # one season
    observations: Floats  # (steps + 1, 106)
    series: dict[str, Floats]  # (steps,): rewards, and ends as 0 or 1
    daily: dict[str, Floats]  # (days, 18), columns in the order of `CropObservation`

    @property
    def steps(self) -> int:
        """Return the number of decisions."""
        return len(self.actions)


def read_intercrop(path: Path, required: tuple[str, ...] = ()) -> InteractionTable | Episode:
    """Return the record in a file of either kind; `required` columns must be in a table."""
    arrays = Arrays(path)
    if "table" in arrays:
        return InteractionTable(path.name, arrays.columns("table", "columns", required))
    if "obs" in arrays:
        return _episode(path.name, arrays)
    raise arrays.fail("arrays 'table' and 'obs' are missing", "table (of interactions) or obs (of an episode)")


def _episode(name: str, arrays: Arrays) -> Episode:
    actions = arrays.numbers("actions", 1, f"of shape (steps,): 0 to {len(DOSES) - 1}")
    steps = len(actions)
    if not steps or not np.all(np.isin(actions, np.arange(len(DOSES)))):
        raise arrays.fail("array 'actions' is not a series of doses", f"whole numbers, 0 to {len(DOSES) - 1}")
    observations = arrays.shaped("obs", (steps + 1, OBSERVED))
    series = {key: arrays.shaped(key, (steps,)) for key in REWARDS}
    series |= {key: np.asarray(arrays.get(key, f"{steps} flags"), float) for key in FLAGS}
    wrong = [key for key in FLAGS if series[key].shape != (steps,)]
    if wrong:
        raise arrays.fail(f"array {wrong[0]!r} has shape {series[wrong[0]].shape}", f"shape ({steps},)")
    daily = {key: arrays.table(key, CropObservation, "columns") for key in DAILY}
    crops = (_crop(arrays, "crop1"), _crop(arrays, "crop2"))
    return Episode(name, crops, actions, _weather(arrays), observations, series, daily)


def _crop(arrays: Arrays, key: str) -> str:
    name = arrays.text(key, "the name of a crop file")
    if name not in CROP_FILES:
        raise arrays.fail(f"array {key!r} is {name!r}", f"one of {', '.join(CROP_FILES)}")
    return CROP_FILES[name]


def _weather(arrays: Arrays) -> FieldWeather:
    columns = arrays.columns("weather", "weather_cols", ("VAP", *WEATHER_SCALES))
    given = {symbol: scale * columns[symbol] for symbol, scale in WEATHER_SCALES.items()}
    mean = 0.5 * (given["TMIN"] + given["TMAX"])
    order = (given["IRRAD"], given["TMIN"], given["TMAX"], mean, given["RAIN"], given["ES0"], given["ET0"])
    year = np.array([int(arrays.number("year", "one year"))])
    inputs, days = np.stack(order, axis=-1), np.array([len(mean)])
    return FieldWeather(inputs[None], year, days, np.zeros(1, int), ("recorded",), columns["VAP"][None])


# Largest difference of a column per its largest value, or per 1 where that is smaller. The equations are the same; what
# is left is rounding, which differences of a season add up.
TABLE_BOUND = 1e-12
EPISODE_BOUND = 1e-6

FACTORS = {
    "light": "light_competition_factor",
    "water": "water_competition_factor",
    "nitrogen": "nitrogen_transfer_factor",
    "root": "root_interaction_factor",
    "biomass": "biomass_competition_factor",
}
SHOWN = {"leaf_area_index": "lai", "transpiration": "tran", "above_ground_mass": "tagbm"}
STATE = {
    "stem_mass": "WST",
    "root_depth": "ROOTD",
    "root_mass": "WRT",
    "nitrogen_uptake": "NUPTT",
    "soil_nitrogen": "TNSOIL",
}
INPUTS = (
    *(f"par_{column}" for column in FACTORS.values()),
    *(f"in_obs{crop}_{column}" for crop in (1, 2) for column in SHOWN.values()),
    *(f"in_st{crop}_{column}" for crop in (1, 2) for column in STATE.values()),
)
SHORT = {"light": "light", "water": "water", "nitrogen": "nitro", "root": "root", "biomass": "biom"}
GROWN = ("wlvg", "wrt", "wso", "wst", "tagbm")
FIRST_DOSE = 8  # days since 1 January on which the first dose enters: the day after the first decision
WEEK = 7


def relative_error(ours: Any, recorded: Floats) -> float:
    """Return the largest difference per largest recorded value, or per 1 where that is smaller."""
    with np.errstate(all="ignore"):  # of a replay that diverged
        error = np.max(np.abs(np.asarray(ours) - recorded)) / max(1.0, float(np.max(np.abs(recorded))))
    return StateError.of(error).error


def check_interactions(table: InteractionTable) -> FileResult:
    """Compare our effects, and what the code does with them, with a table."""
    given = table.columns
    with jax.enable_x64(True):
        factors = Factors(**{name: given[f"par_{column}"] for name, column in FACTORS.items()})
        one, two = (_neighbour(given, crop) for crop in (1, 2))
        ours = outputs(given, jax.tree.map(np.asarray, published_effects(one, two, factors)))
    errors = {name: StateError(relative_error(ours[name], given[name]), TABLE_BOUND) for name in given if name in ours}
    return FileResult(table.name, "interaction", "intercropgym", errors)


def _neighbour(given: dict[str, Floats], crop: int) -> Neighbour:
    shown = {name: given[f"in_obs{crop}_{column}"] for name, column in SHOWN.items()}
    return Neighbour(**shown, **{name: given[f"in_st{crop}_{column}"] for name, column in STATE.items()})


def outputs(given: dict[str, Floats], found: Interaction) -> dict[str, Any]:
    """Return by the names of a table everything that comes out, also what is not changed."""
    made: dict[str, Any] = {"light_taller_crop_factor": found.taller, "root_overlap_factor": found.overlap}
    for crop, effects in enumerate(found.effects, start=1):
        made |= {f"{SHORT[q.name]}_effect_on_{crop}": getattr(effects, q.name) for q in quantities(Effects)}
        made |= {
            f"water_water_comp_{crop}": found.water_shares[crop - 1],
            f"nitro_n_ratio_{crop}": found.uptake_ratios[crop - 1],
            f"nitro_transfer_{crop}to{3 - crop}": found.transfers[crop - 1],
            f"root_density_effect_{crop}": found.root_shares[crop - 1],
            f"biom_biomass_ratio_{crop}": found.mass_shares[crop - 1],
        }
        shown, state = f"out_obs{crop}_", f"out_st{crop}_"
        unchanged = [name for name in given if name.startswith((f"in_obs{crop}_", f"in_st{crop}_"))]
        made |= {name.replace("in_", "out_", 1): given[name] for name in unchanged}
        factors = dict.fromkeys(GROWN, effects.growth)
        factors |= {"tgrowth": effects.light, "tranrf": effects.water, "nuptt": effects.root}
        made |= {shown + name: made[shown + name] * factor for name, factor in factors.items() if shown + name in made}
        made[state + "NUPTT"] = made[state + "NUPTT"] * effects.nitrogen
        made[state + "TNSOIL"] = made[state + "TNSOIL"] * effects.nitrogen + found.transfers[2 - crop]
        if state + "NNI" in made:
            made[state + "NNI"] = np.clip(made[state + "NNI"] * effects.nitrogen, 0.0, 1.0)
    return made


def daily_states(plant: Parameters, weather: Array, doses: Array) -> Array:
    """Return the 18 quantities (days, 18) of a crop that goes on after maturity, under doses [g m-2] by day."""

    def one_day(state: Any, today: tuple[Array, Array]) -> tuple[Any, Array]:
        conditions = unstack(Weather, today[0])
        shown = observe_sole_crop(state, conditions, plant)
        # The published program has no biomass on the first day.
        shown = dataclasses.replace(shown, above_ground_mass=jnp.where(state.day > 0.0, shown.above_ground_mass, 0.0))
        rates = processes(state, conditions, Management(nitrogen=today[1]), plant)
        return next_morning(state, rates, plant), jnp.stack([getattr(shown, each) for each in names(CropObservation)])

    return jax.lax.scan(one_day, initial_state(plant, weather.dtype), (weather, doses))[1]


def doses_by_day(episode: Episode, days: int) -> Floats:
    """Return nitrogen [g m-2] that enters on each day since 1 January."""
    given = np.asarray(DOSES)[episode.actions.astype(int)] / KG_HA
    doses = np.zeros(days)
    doses[FIRST_DOSE : FIRST_DOSE + WEEK * episode.steps : WEEK] = given
    return doses


class Recorded(Schedule):
    """Recorded actions (seasons, steps): an episode has those of its season."""

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        return jnp.asarray(self.actions)[state.season, memory], memory + 1


def replay(episodes: Sequence[Episode]) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """Simulate our days and our steps of all episodes as one batch in float64; every episode is a season."""
    weather = concatenated([each.weather for each in episodes])
    plants = [stacked_parameters([published_crop(each.crops[crop]).plant for each in episodes]) for crop in (0, 1)]
    doses = np.stack([doses_by_day(each, weather.days) for each in episodes])
    simulate = jax.jit(jax.vmap(daily_states))
    days = {}
    for crop, plant in enumerate(plants, start=1):
        days[f"daily{crop}"] = np.asarray(simulate(plant, weather.values, doses))
        days[f"base{crop}"] = np.asarray(simulate(plant, weather.values, np.zeros_like(doses)))

    env = Intercrop(**published_code(), weather=weather, precision="float64")

    def params(plants: Sequence[Parameters], season: Array) -> Any:
        one, two = (Crop(plant=plant, height=Height()) for plant in plants)
        return env.params(crops=(one, two), seasons=season[None])

    # The observation after a step is that before the next, of which there is one more.
    steps = max(each.steps for each in episodes) + 1
    actions = np.stack([np.pad(each.actions.astype(np.int32), (0, steps - each.steps)) for each in episodes])
    axes = dataclasses.replace(env.starts().axes, crops=0, zero_grain=0)
    of_each = jax.jit(jax.vmap(params, out_axes=axes))(plants, np.arange(len(episodes), dtype=np.int32))
    keys = jax.random.split(jax.random.key(0), len(episodes))
    played = run_episodes(env, Recorded(actions), keys, steps, of_each, axes)
    penalty = float(of_each.reward.nitrogen_penalty) * played.info["dose"] / KG_HA
    earned = played.info["growth"] - played.info["zero_growth"] - penalty[..., None]
    made = {"obs": played.observation, "rewards": played.reward, "reward1": earned[..., 0], "reward2": earned[..., 1]}
    return days, made | {"done": played.terminated, "truncated": played.truncated}


def check_episode(episode: Episode, days: dict[str, Floats], steps: dict[str, Floats]) -> FileResult:
    """Return the states by day, the observation in its four blocks, rewards and ends."""
    errors = {}
    for name, recorded in episode.daily.items():
        ours = days[name][: len(recorded)]
        for place, symbol in enumerate(symbols(CropObservation)):
            errors[f"{name}.{symbol}"] = relative_error(ours[:, place], recorded[:, place])
    count, crop = OBSERVED // 2, len(symbols(CropObservation))
    observed = steps["obs"][: episode.steps + 1]
    columns = [relative_error(observed[:, place], episode.observations[:, place]) for place in range(OBSERVED)]
    for number in (1, 2):
        block = columns[(number - 1) * count : number * count]
        errors |= {f"obs{number}.crop": max(block[:crop]), f"obs{number}.weather": max(block[crop:])}
    errors |= {name: relative_error(steps[name][: episode.steps], made) for name, made in episode.series.items()}
    states = {name: StateError(error, EPISODE_BOUND) for name, error in errors.items()}
    return FileResult(episode.name, "episode", " + ".join(episode.crops), states)


def verify_intercrop(folder: Path) -> Verification:
    """Check all tables of a folder, and replay all its episodes."""
    records = [read_intercrop(path, INPUTS) for path in archives(folder)]
    episodes = [each for each in records if isinstance(each, Episode)]
    results = {each.name: check_interactions(each) for each in records if isinstance(each, InteractionTable)}
    if episodes:
        with jax.enable_x64(True):
            days, steps = replay(episodes)
        for place, each in enumerate(episodes):
            of_file = jax.tree.map(lambda values, place=place: values[place], (days, steps))
            results[each.name] = check_episode(each, *of_file)
    return Verification("intercrop", tuple(results[each.name] for each in records))
