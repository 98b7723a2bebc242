"""PCSE's models behind the wheat task. Needs the extra `pcse`."""

from __future__ import annotations

import copy
import itertools
import pickle
import sqlite3
import subprocess
import sys
import warnings
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

pytest.importorskip("pcse")

from pcse.settings import settings
from pcse.tests.db_input import fetch_cropdata
from pcse.tests.run_wofost import namedtuple_factory

from phytotron.adapters.gymnasium_env import GymnasiumEnv
from phytotron.core.errors import DataFileError, PhytotronError, UnknownNameError
from phytotron.environments.wheat import WheatNitrogen
from phytotron.environments.wheat.observations import PAPER
from phytotron.models.lintul3.parameter_sets import PLAIN_SET
from phytotron.simulators.pcse.env import PcseEnv, make_pcse
from phytotron.simulators.pcse.models import MODELS, Treatment, Variable
from phytotron.simulators.pcse.parameters import crop_parameters
from phytotron.simulators.pcse.weather import pcse_weather
from phytotron.weather.daily import with_evaporation
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.table import WeatherError

WEATHER = with_evaporation(embedded_weather("wageningen"))
pytestmark = [  # PCSE's own
    pytest.mark.filterwarnings("ignore:Passing unrecoginized arguments:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning"),
]

EXACT = 1e-9  # the same equations in another order of operations
DRY = 1976
NITROGEN = {"NMAXLV_TB": "NMXLV", "NMAXST_FR": "LSNR", "NMAXRT_FR": "LRNR", "NMAXSO": "NMAXSO", "TCNT": "TCNT"}
NITROGEN |= {"NRESIDLV": "RNFLV", "NRESIDST": "RNFST", "NRESIDRT": "RNFRT", "DVS_N_TRANSL": "DVSNT"}


def wofost_wheat() -> dict[str, Any]:
    """PCSE's winter wheat of WOFOST 7.2; for what later versions ask, nitrogen of LINTUL-3 and made-up values."""
    connection = sqlite3.connect(Path(settings.PCSE_USER_HOME) / "pcse.db")
    connection.row_factory = namedtuple_factory
    crop = fetch_cropdata(connection, 31031, 2000, 1)
    connection.close()
    later = dict.fromkeys(("STEM_FRACTION", "LEAF_FRACTION", "STEM_RATE", "LEAF_RATE", "EFFICIENCY"), 0.0)
    return (
        crop
        | {f"CO2{name}TB": [40.0, 0.0, 360.0, 1.0, 720.0, 1.2] for name in ("EFF", "TRA", "AMAX")}
        | {f"REALLOC_{name}": value for name, value in later.items()}
        | {"REALLOC_DVS": 2.0, "AMAX_LNB": 3.0, "AMAX_REF": 40.0, "AMAX_SLP": 3.0, "KN": 0.4}
        | {theirs: MODELS["lintul3"].crop[ours] for theirs, ours in NITROGEN.items()}
        | {"NSLLV_TB": [0.0, 1.0, 2.0, 1.0], "RGRLAI_MIN": 0.5 * crop["RGRLAI"], "NFIX_FR": 0.0, "RNUPTAKEMAX": 7.0}
    )


def layered_soil(*thickness: float) -> dict[str, Any]:
    suction = (-1.0, 1.0, 1.7, 2.0, 2.4, 3.0, 3.7, 4.2, 6.0)
    content = (0.50, 0.48, 0.44, 0.40, 0.35, 0.29, 0.23, 0.20, 0.10)
    conductivity = (1.5, 1.0, 0.0, -0.7, -1.6, -3.0, -5.0, -6.5, -11.0)
    loam = {
        "SMfromPF": list(itertools.chain(*zip(suction, content, strict=True))),
        "CONDfromPF": list(itertools.chain(*zip(suction, conductivity, strict=True))),
        **{"CRAIRC": 0.05, "CNRatioSOMI": 9.0, "RHOD": 1.4, "Soil_pH": 7.0, "FSOMI": 0.005, "SoilID": "loam"},
    }
    profile = {"PFWiltingPoint": 4.2, "PFFieldCapacity": 2.0, "SurfaceConductivity": 70.0, "GroundWater": None}
    profile["SoilLayers"] = [loam | {"Thickness": each} for each in thickness]
    return {"RDMSOL": sum(thickness), "SoilProfileDescription": profile | {"SubSoilType": loam | {"Thickness": 200.0}}}


CROP = wofost_wheat()
POOR = {"NAVAILI": 5.0, "BG_N_SUPPLY": 0.1}
SNOMIN_SITE = {"NH4I": [1.0] * 4, "NO3I": [2.0] * 4, "A0SOM": 24.0, "CNRatioBio": 9.0, "FASDIS": 0.5}
SNOMIN_SITE |= {"KDENIT_REF": 0.06, "KNIT_REF": 1.0, "KSORP": 0.0005, "MRCDIS": 0.001, "WFPS_CRIT": 0.8}
SNOMIN_SITE |= {"NH4ConcR": 0.0, "NO3ConcR": 0.0}


def made(model: str, **options: Any) -> PcseEnv:
    """Any model, with parameters for it, on one year."""
    if model != "lintul3":
        options.setdefault("crop", CROP)
        options["site"] = (SNOMIN_SITE if model == "wofost81_snomin" else {}) | POOR | options.get("site", {})
    if "MLWB" in MODELS[model].engine:
        options.setdefault("soil", layered_soil(10.0, 20.0, 30.0, 65.0))
    if MODELS[model].nitrogen is None:
        options.setdefault("doses", (0,))
    return make_pcse(model, WEATHER, options.pop("year", 1990), **options)


def play(env: Any, actions: dict[int, int]) -> tuple[list[Any], list[float], list[dict[str, Any]]]:
    """An episode with the actions of some decisions; observations, rewards and infos."""
    observation, _ = env.reset(seed=0)
    seen, rewards, infos, over = [observation], [], [], False
    while not over:
        observation, reward, over, truncated, info = env.step(actions.get(len(rewards), 0))
        assert not truncated
        seen.append(observation), rewards.append(reward), infos.append(info)
    return seen, rewards, infos


@pytest.mark.parametrize("year", [1984, 1990])
def test_lintul3_of_pcse_is_our_lintul3(year: int) -> None:
    actions = {4: 2, 8: 1, 9: 2, 13: 2}
    ours = GymnasiumEnv(WheatNitrogen(parameters=PLAIN_SET, weather=WEATHER, years=year, precision="float64"))
    theirs = make_pcse("lintul3", WEATHER, year)
    seen, rewards, infos = play(ours, actions)
    pcse_seen, pcse_rewards, pcse_infos = play(theirs, actions)
    assert theirs.names == PAPER
    for name in ("growth", "zero_growth", "dose", "total_dose", "day", "year"):
        np.testing.assert_allclose([i[name] for i in pcse_infos], [i[name] for i in infos], rtol=EXACT, atol=EXACT)
    grain = sum(info["growth"] for info in pcse_infos)
    assert grain == pytest.approx(sum(float(info["growth"]) for info in infos), rel=EXACT)
    assert grain > 100.0
    np.testing.assert_allclose(pcse_rewards, rewards, rtol=EXACT, atol=1e-8)
    np.testing.assert_allclose(pcse_seen, np.array(seen, np.float32), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("interval", [1, 14])
def test_other_intervals_agree_too(interval: int) -> None:
    actions = {60 // interval: 2, 90 // interval: 2}
    options: dict[str, Any] = {"interval": interval}
    environment = WheatNitrogen(parameters=PLAIN_SET, weather=WEATHER, years=1990, precision="float64", **options)
    _, rewards, _ = play(GymnasiumEnv(environment), actions)
    _, pcse_rewards, _ = play(make_pcse("lintul3", WEATHER, 1990, **options), actions)
    np.testing.assert_allclose(pcse_rewards, rewards, rtol=EXACT, atol=1e-8)


def test_gymnasium_finds_nothing_to_complain_about() -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*render_modes.*")
        check_env(make_pcse("lintul3", WEATHER, 1990), skip_render_check=True)


@pytest.mark.parametrize("model", MODELS)
def test_every_model_runs_a_season_within_its_space(model: str) -> None:
    env = made(model)
    seen, _, infos = play(env, {})
    assert all(env.observation_space.contains(each) for each in seen)
    assert sum(info["growth"] for info in infos) == pytest.approx(seen[-1][env.names.index("grain_mass")], rel=1e-5)
    assert sum(info["growth"] for info in infos) > 20.0


@pytest.mark.parametrize("model", [name for name, model in MODELS.items() if model.nitrogen is not None])
def test_nitrogen_reaches_the_model(model: str) -> None:
    env = made(model, observation=("soil_nitrogen", "nitrogen_uptake", "total_dose"))
    without, _, _ = play(env, {})
    given, rewards, infos = play(env, {6: 2, 10: 2})
    assert given[7][:2].sum() > without[7][:2].sum() + 1.0
    assert given[-1][1] > without[-1][1] + 2.0
    assert given[-1][2] == 80.0
    gained = sum(info["growth"] - info["zero_growth"] for info in infos)
    assert gained > 5.0
    assert sum(rewards) == pytest.approx(gained - 10.0 * 8.0)


def test_irrigation_reaches_the_model() -> None:
    shallow = {"RDMSOL": 40.0}
    env = made("wofost72_water", year=DRY, irrigation=(0, 30), soil=shallow, site={"WAV": 4.0}, reward="growth")
    _, dry, _ = play(env, {})
    _, watered, infos = play(env, dict.fromkeys(range(14, 26), 1))
    assert sum(watered) > sum(dry) + 50.0
    assert sum(info["irrigation"] for info in infos) == 12 * 30.0


def test_a_signal_that_nobody_hears_is_found_at_construction() -> None:
    deaf = replace(MODELS["lintul3"], nitrogen=replace(MODELS["lintul3"].nitrogen, signal="mowing"))
    with pytest.raises(PhytotronError, match=r"mowing does not reach .*TNSOIL \+ NUPTT should rise by about 2.8"):
        make_pcse(deaf, WEATHER, 1990)


def test_a_variable_that_the_model_does_not_have_is_found_at_construction() -> None:
    known = MODELS["lintul3"]
    with pytest.raises(PhytotronError, match="Lintul10_NWLP_CWB_CNB has no variable LEAFAREA"):
        make_pcse(replace(known, observables={"leaf_area_index": Variable(("LEAFAREA",))}), WEATHER, 1990)
    with pytest.raises(UnknownNameError, match="Lintul10_NWLP_CWB_CNB"):
        make_pcse(replace(known, engine="Lintul_NWLP"), WEATHER, 1990)


def test_doses_are_refused_where_there_is_no_nitrogen_balance() -> None:
    with pytest.raises(PhytotronError, match="wofost72_water has no nitrogen balance"):
        make_pcse("wofost72_water", WEATHER, 1990, crop=CROP)
    with pytest.raises(PhytotronError, match="lintul3 takes no irrigation"):
        make_pcse("lintul3", WEATHER, 1990, irrigation=(0, 10))


def test_a_crop_may_be_sown_the_autumn_before() -> None:
    env = made("wofost72_potential", start=(10, 15), start_type="sowing", crop=CROP | {"TSUMEM": 120.0, "TBASEM": 0.0})
    _, info = env.reset(seed=0)
    assert info == {"date": "1989-10-21", "year": 1990}
    seen, _, infos = play(env, {})
    stages = [each[env.names.index("stage")] for each in seen]
    assert stages[0] == 0.0 and stages[-1] == 2.0
    assert all(env.observation_space.contains(each) for each in seen)
    assert infos[-1]["date"].startswith("1990-0")


def test_weather_has_pcse_units() -> None:
    provider = pcse_weather(WEATHER)
    day = provider(WEATHER.start.date())
    columns = {"IRRAD": ("irradiation", 1.0), "VAP": ("vapour_pressure", 0.01), "RAIN": ("rain", 0.1)}
    for name, (column, factor) in (columns | {"E0": ("open_water_evaporation", 0.1)}).items():
        assert getattr(day, name) == pytest.approx(factor * WEATHER[column][0])
    assert provider.latitude == WEATHER.site.latitude


def test_seeds_fix_the_years_that_are_drawn() -> None:
    env = make_pcse("lintul3", WEATHER)
    assert env.years == tuple(range(1976, 2000))
    drawn = [env.reset(seed=3 if draw == 0 else None)[1]["year"] for draw in range(4)]
    again = [env.reset(seed=3 if draw == 0 else None)[1]["year"] for draw in range(4)]
    assert drawn == again
    assert len(set(drawn)) > 1


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_it_can_be_copied_in_the_middle_of_an_episode(copied: Any) -> None:
    env = make_pcse("lintul3", WEATHER, (1988, 1990))
    env.reset(seed=1)
    for action in (0, 2, 1):
        env.step(action)
    twin = copied(env)
    for _ in range(10):
        here, there = env.step(1), twin.step(1)
        np.testing.assert_array_equal(here[0], there[0])
        assert here[1:] == there[1:]


def test_two_environments_do_not_hear_each_other() -> None:
    first, second = make_pcse("lintul3", WEATHER, 1990), make_pcse("lintul3", WEATHER, 1990)
    first.reset(seed=0), second.reset(seed=0)
    for _ in range(20):
        _, _, _, _, _ = first.step(2)
        _, reward, _, _, info = second.step(0)
        assert reward == 0.0 and info["growth"] == info["zero_growth"]


def test_wrong_options_are_named() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'wofost72_"):
        make_pcse("wofost72", WEATHER, 1990)
    with pytest.raises(WeatherError, match="1976-01-01 to 1999-12-31; a season needs 2003-01-01 to 2003-09-01"):
        make_pcse("lintul3", WEATHER, 2003)
    short = WEATHER.window(date(1990, 1, 1), date(1990, 6, 1))
    with pytest.raises(WeatherError, match="1990-01-01 to 1990-05-31"):
        make_pcse("lintul3", short, 1990)
    with pytest.raises(WeatherError, match="holds no season"):
        make_pcse("lintul3", short)
    with pytest.raises(PhytotronError, match="needs crop parameters, which PCSE downloads"):
        make_pcse("wofost81_nitrogen", WEATHER, 1990)
    with pytest.raises(PhytotronError, match="NMAXSO missing"):
        made("wofost81_nitrogen", crop={key: value for key, value in CROP.items() if key != "NMAXSO"})
    with pytest.raises(UnknownNameError, match="crop parameter of lintul3 'TNSOILI'"):
        make_pcse("lintul3", WEATHER, 1990, crop={"TNSOILI": 7.7})
    for options, message in (
        ({"interval": 15}, "interval"),
        ({"doses": (20, 0)}, "doses"),
        ({"observation": ("LAI", "soil_carbon")}, "soil_carbon"),
        ({"observation": ()}, "at least one"),
        ({"reward": "nitrogen_surplus"}, "reward"),
        ({"latest_harvest": (1, 1)}, "latest_harvest"),
        ({"start": (2, 30)}, "start"),
        ({"start": [1, 1]}, "start"),
        ({"start_type": "planting"}, "planting"),
    ):
        with pytest.raises(PhytotronError, match=message):
            make_pcse("lintul3", WEATHER, 1990, **options)


def test_steps_out_of_place_are_refused() -> None:
    env = make_pcse("lintul3", WEATHER, 1990)
    with pytest.raises(PhytotronError, match="call reset before step"):
        env.step(0)
    play(env, {})
    with pytest.raises(PhytotronError, match="the season is over"):
        env.step(0)
    env.reset()
    for action in (3, -1, 0.5, None):
        with pytest.raises(PhytotronError, match="whole number from 0 to 2"):
            env.step(action)


def test_crop_files_are_read_offline(tmp_path: Path) -> None:
    file = tmp_path / "wheat.yaml"
    file.write_text(
        "CropParameters:\n  Varieties:\n    A:\n      Metadata: x\n      TSUM1: [543, temperature sum, [C.d]]\n"
        "      FLTB:\n      - [0.0, 0.5, 2.0, 0.0]\n      - leaves\n      - ['-', '-']\n",
        encoding="utf-8",
    )
    assert crop_parameters(file, "A") == {"TSUM1": 543, "FLTB": [0.0, 0.5, 2.0, 0.0]}
    with pytest.raises(UnknownNameError, match=r"variety of .* 'B'"):
        crop_parameters(file, "B")
    with pytest.raises(DataFileError, match="cannot be read"):
        crop_parameters(tmp_path / "none.yaml", "A")


def test_without_pcse_the_error_says_how_to_get_it() -> None:
    code = "import sys; sys.modules['pcse'] = None\nfrom phytotron.simulators.pcse.env import make_pcse\nmake_pcse()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'phytotron[pcse]'" in done.stderr.splitlines()[-1]


def test_a_treatment_of_ones_own_replaces_the_recovery() -> None:
    full = Treatment("apply_n", lambda amount: {"amount": amount / 10.0, "recovery": 1.0}, ("TNSOIL", "NUPTT"), 0.1)
    env = make_pcse(replace(MODELS["lintul3"], nitrogen=full), WEATHER, 1990)
    _, rewards, _ = play(env, {9: 2})
    _, usual, _ = play(make_pcse("lintul3", WEATHER, 1990), {9: 2})
    assert sum(rewards) > sum(usual) + 10.0
