import pytest

from phytotron.planning.objective import Objective


def test_objectives_that_differ_have_names_that_differ():
    assert Objective().name == ""
    assert Objective("profit", penalties={"temperature": 1.0, "co2": 0.1}).name == "profit-co2=0.1-temperature=1"
    near = [Objective(penalties={"co2": price}).name for price in (0.1234567, 0.12345671, 1e-8)]
    assert near == ["co2=0.1234567", "co2=0.12345671", "co2=1e-08"]


@pytest.mark.parametrize("price", [-1.0, float("nan"), float("inf")])
def test_prices_of_violations_are_finite_numbers_of_at_least_0(price):
    with pytest.raises(ValueError, match=r"penalty of co2 .*a finite number, 0 or more"):
        Objective(penalties={"co2": price})
