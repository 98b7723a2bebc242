"""Records of quantities: pytrees with symbols, units and ranges, and errors that name what was wrong."""

from __future__ import annotations

import dataclasses
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from phytotron.core.errors import PhytotronError, ShapeError, UnknownNameError, ValueRangeError
from phytotron.core.fields import (
    check_value,
    find,
    names,
    quantities,
    quantity,
    record,
    replace,
    stack,
    symbols,
    unstack,
)
from phytotron.models.greenlight import Control, Parameters, State, Weather
from phytotron.models.greenlight.rules import RuleSettings

RECORDS = (State, Control, Weather, Parameters, RuleSettings)


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


# The symbols and the order of the reference runs (GreenLight, Katzin et al. 2020 and 2021).
STATE_SYMBOLS = words("""
co2Air co2Top tAir tTop tCan tCovIn tCovE tThScr tFlr tPipe tSo1 tSo2 tSo3 tSo4 tSo5 vpAir vpTop tLamp tIntLamp
tGroPipe tBlScr tCan24 cBuf cLeaf cStem cFruit tCanSum time
""")
CONTROL_SYMBOLS = words("boil extCo2 thScr roof lamp intLamp boilGro blScr")
WEATHER_SYMBOLS = words("iGlob tOut vpOut co2Out wind tSky tSoOut dayRadSum isDay isDaySmooth")

# Constants of the published parameter sets, less those that follow from others (capacities, areas, pressure), those of
# equipment that none of the greenhouses has (shading screens, pads, fogging, side vents) and those in no equation.
PARAMETER_SYMBOLS = words("""
alfaLeafAir L sigma epsCan epsSky etaGlobNir etaGlobPar etaMgPpm rhoAir0 rhoCanPar rhoCanNir rhoSteel rhoWater
gammaPsych capLeaf cEvap1 cEvap2 cEvap3Day cEvap3Night cEvap4Day cEvap4Night cPAir cPSteel cPWater g hSo1 hSo2
hSo3 hSo4 hSo5 hSoOut k1Par k2Par kNir kFir mAir mWater R rCanSp rB rSMin sRsSlope etaGlobAir psi aCov aFlr
cHecIn cHecOut1 cHecOut2 cHecOut3 hAir hElevation hGh zetaInsScr aRoof cDgh cLeakage cWgh hVent rhoRf rhoRfNir
rhoRfPar rhoRfFir tauRfNir tauRfPar tauRfFir lambdaRf cPRf hRf epsThScrFir rhoThScr rhoThScrNir rhoThScrPar
tauThScrNir tauThScrPar tauThScrFir cPThScr hThScr kThScr epsFlr rhoFlr rhoFlrNir rhoFlrPar lambdaFlr cPFlr hFlr
rhoCpSo lambdaSo epsPipe phiPipeE phiPipeI lPipe phiExtCo2 pBoil parJtoUmolSun laiMax alpha theta etaCo2AirStom
cGamma cFruitM cFruitG cLeafM cLeafG cStemM cStemG cRgr cBufMax cBufMin eJ H j25LeafMax mCh2o rgFruit rgLeaf
rgStem S sla t25k tEndSum q10m tCanMin tCanMax tCan24Min tCan24Max rgr mCo2 cFruitMax epsBlScrFir rhoBlScr
rhoBlScrNir rhoBlScrPar tauBlScrNir tauBlScrPar tauBlScrFir cPBlScr hBlScr kBlScr thetaLampMax aLamp etaLampPar
zetaLampPar etaLampNir capLamp cHecLampAir rhoLampPar rhoLampNir epsLampTop epsLampBottom etaLampCool
zetaIntLampPar thetaIntLampMax etaIntLampPar etaIntLampNir capIntLamp cHecIntLampAir cLeakTop aIntLamp
fIntLampDown k1IntPar k2IntPar kIntFir kIntNir epsIntLamp tauIntLampFir vIntLampPos lGroPipe phiGroPipeE
phiGroPipeI epsGroPipe pBoilGro energyContentGas minWind dmfm
""")
RULE_SYMBOLS = words("""
tSpDay tSpNight heatCorrection tHeatBand heatDeadZone ventHeatPband rhMax ventRhPband tVentOff ventColdPband
thScrSpDay thScrSpNight thScrPband thScrMaxRh thScrRhPband thScrDeadZone useBlScr blScrExtraRh lampTimeOn
lampTimeOff dayLampStart dayLampStop lampsOffSun lampRadSumLimit lampExtraHeat co2SpDay co2Band
""")


@record
class Pot:
    """A small record for what does not depend on a model."""

    water: float = quantity("W", "mm", "water in the pot", low=0.0, high=50.0)
    depth: float = quantity("hPot", "m", "depth of the pot", default=0.2, low=0.01)


def test_a_record_is_a_pytree_of_its_quantities_in_their_order() -> None:
    pot = Pot(water=3.0, depth=0.5)
    assert jax.tree.leaves(pot) == [3.0, 0.5]
    assert jax.tree.map(lambda leaf: 2.0 * leaf, pot) == Pot(water=6.0, depth=1.0)
    paths = [jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_flatten_with_path(pot)[0]]
    assert paths == [".water", ".depth"]


def test_a_record_goes_through_jit_grad_and_vmap() -> None:
    def filling(pot: Pot) -> jax.Array:
        return pot.water**2 / pot.depth

    pots = Pot(water=jnp.array([1.0, 2.0]), depth=jnp.array([0.5, 0.25]))
    assert jax.jit(filling)(pots).tolist() == [2.0, 16.0]
    gradient = jax.vmap(jax.grad(filling))(pots)
    assert isinstance(gradient, Pot)
    assert gradient.water.tolist() == [4.0, 16.0]
    assert gradient.depth.tolist() == [-4.0, -64.0]


def test_a_record_is_frozen_and_takes_keywords_only() -> None:
    pot = Pot(water=3.0)
    assert pot.depth == 0.2
    with pytest.raises(dataclasses.FrozenInstanceError):
        pot.water = 4.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        Pot(3.0)  # type: ignore[misc]


@pytest.mark.parametrize("cls", RECORDS, ids=lambda cls: cls.__name__)
def test_every_quantity_has_symbol_unit_description_and_a_range(cls: type) -> None:
    for q in quantities(cls):
        assert q.symbol and q.unit and q.description, q.name
        assert q.low < q.high, q.name
        assert q.default is None or q.low <= q.default <= q.high, q.name
    assert len(set(symbols(cls))) == len(names(cls)) == len(set(names(cls)))
    # A symbol that were another quantity's name could not be looked up.
    for q in quantities(cls):
        assert find(cls, q.symbol) == find(cls, q.name) == q


@pytest.mark.parametrize(
    ("cls", "published"),
    [(State, STATE_SYMBOLS), (Control, CONTROL_SYMBOLS), (Weather, WEATHER_SYMBOLS)],
    ids=["State", "Control", "Weather"],
)
def test_states_controls_and_weather_have_the_published_symbols_in_the_published_order(
    cls: type, published: list[str]
) -> None:
    assert list(symbols(cls)) == published


@pytest.mark.parametrize(
    ("cls", "published"), [(Parameters, PARAMETER_SYMBOLS), (RuleSettings, RULE_SYMBOLS)], ids=["Parameters", "Rules"]
)
def test_every_published_constant_has_its_symbol(cls: type, published: list[str]) -> None:
    assert set(published) <= set(symbols(cls))


BATCHES_OF_CONTROLS = arrays.array_shapes(max_dims=2).map(lambda batch: (*batch, 8))


@given(arrays.arrays(np.float64, BATCHES_OF_CONTROLS, elements=st.floats(0, 1)))
def test_unstack_and_stack_are_inverse(array: np.ndarray) -> None:
    control = unstack(Control, array)
    assert control.boiler.shape == array.shape[:-1]
    np.testing.assert_array_equal(stack(control), array)


def test_stack_broadcasts_scalars_to_the_batch() -> None:
    stacked = stack(Pot(water=jnp.arange(3.0), depth=0.5))
    assert stacked.tolist() == [[0.0, 0.5], [1.0, 0.5], [2.0, 0.5]]


def test_an_array_of_the_wrong_length_is_refused_with_the_symbols_it_should_hold() -> None:
    with pytest.raises(ShapeError, match=r"State has shape \(5, 27\); expected \(\.\.\., 28\).*co2Air.*tCanSum, time"):
        unstack(State, np.zeros((5, 27)))
    with pytest.raises(ShapeError, match="Control"):
        unstack(Control, np.zeros(()))


@pytest.mark.parametrize(
    ("given_name", "nearest"),
    [("floor_aera", "floor_area"), ("aFlrr", "aFlr"), ("thetaLampMx", "thetaLampMax"), ("lampPower", "lamp_power")],
)
def test_an_unknown_name_is_answered_with_the_nearest_name_or_symbol(given_name: str, nearest: str) -> None:
    with pytest.raises(UnknownNameError, match=f"Parameters quantity '{given_name}'; did you mean .*'{nearest}'"):
        replace(Parameters(), {given_name: 1.0})


def test_a_name_like_no_other_is_answered_with_the_known_names() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown Pot quantity 'xyzzy'; known: W, depth, hPot, water"):
        find(Pot, "xyzzy")


def test_replace_takes_names_and_symbols_and_leaves_the_original_alone() -> None:
    original = Parameters()
    changed = replace(original, {"aFlr": 100.0, "cover_area": np.array([120.0, 130.0])})
    assert changed.floor_area == 100.0
    assert changed.cover_area.tolist() == [120.0, 130.0]
    assert original == Parameters()
    unchanged = [q.name for q in quantities(Parameters) if q.name not in ("floor_area", "cover_area")]
    assert all(getattr(changed, name) == getattr(original, name) for name in unchanged)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (-5.0, r"above 0 m2"),
        (np.array([100.0, -1.0]), r"above 0 m2"),
        (np.nan, "finite numbers"),
        (np.array([1.0, np.inf]), "finite numbers"),
        ("large", "a number or an array of numbers"),
        (None, "a number or an array of numbers"),
        (1.0 + 2.0j, "a number or an array of numbers"),
    ],
    ids=["negative", "one of an array negative", "nan", "one of an array infinite", "text", "nothing", "complex"],
)
def test_a_value_that_makes_no_sense_is_refused_by_name_with_what_is_expected(value: object, expected: str) -> None:
    with pytest.raises(ValueRangeError, match=rf"Parameters\.floor_area is .*; expected {expected}"):
        replace(Parameters(), {"floor_area": value})


@pytest.mark.parametrize("value", [[[1.0, 2.0], [3.0]], {"a": 1.0}], ids=["ragged", "dictionary"])
def test_a_value_that_is_no_array_is_refused_by_name(value: object) -> None:
    with pytest.raises(PhytotronError, match=r"Parameters\.floor_area"):
        replace(Parameters(), {"floor_area": value})


def test_a_list_of_numbers_counts_as_an_array() -> None:
    # Kept as a list it would become a branch of the pytree, and fail later, in an equation.
    changed = replace(Pot(water=1.0), {"water": [1.0, 2.0]})
    assert len(jax.tree.leaves(changed)) == 2
    assert unstack(Pot, [1.0, 0.2]) == Pot(water=1.0, depth=0.2)


def test_both_ends_of_a_range_are_allowed() -> None:
    water = find(Pot, "water")
    check_value(water, np.array([0.0, 50.0]), "Pot")
    for outside in (-1e-9, 50.0 + 1e-9):
        with pytest.raises(ValueRangeError, match=r"Pot\.water"):
            check_value(water, outside, "Pot")


def test_values_inside_a_compiled_function_are_not_inspected() -> None:
    changed = jax.jit(lambda area: replace(Parameters(), {"floor_area": area}).floor_area)(-1.0)
    assert changed == -1.0


def test_every_error_a_user_can_cause_is_a_phytotron_error() -> None:
    assert all(issubclass(each, PhytotronError) for each in (ShapeError, UnknownNameError, ValueRangeError))
    assert issubclass(PhytotronError, ValueError)
