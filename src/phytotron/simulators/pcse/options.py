"""What the options of the PCSE environment stand for, checked against what the model can do."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.environments.field.doses import Continuous, choose_amounts
from phytotron.environments.observing import Catalogue, Fields, ObservationChoice
from phytotron.environments.wheat.observations import OBSERVABLES, PAPER
from phytotron.simulators.pcse.models import PcseModel
from phytotron.simulators.pcse.season import Field
from phytotron.simulators.pcse.weather import check_days, covers
from phytotron.weather.table import WeatherError

Ladder = tuple[float, ...]


def choose_ladders(
    name: str, model: PcseModel, doses: Sequence[float], irrigation: Sequence[float] | None
) -> tuple[Ladder, Ladder | None]:
    """Doses [kg ha-1] and irrigation [mm] to choose from; what the model would ignore is refused."""
    nitrogen = _ladder(doses, "doses")
    water = None if irrigation is None else _ladder(irrigation, "irrigation")
    if model.nitrogen is None and nitrogen[-1] > 0.0:
        raise PhytotronError(f"{name} has no nitrogen balance and would ignore doses; give doses=(0,) or another model")
    if model.irrigation is None and water is not None and water[-1] > 0.0:
        raise PhytotronError(f"{name} takes no irrigation and would ignore it; leave it out or choose another model")
    return nitrogen, water


def _ladder(choice: Any, what: str) -> Ladder:
    ladder = choose_amounts(choice, what)
    if isinstance(ladder, Continuous):
        raise ValueRangeError(what, choice, "a ladder of amounts, such as (0, 20, 40), with a model of PCSE")
    return ladder


def choose_years(field: Field, choice: int | Sequence[int] | None) -> tuple[int, ...]:
    """Harvest years whose season lies within the weather; without a choice, all of them."""
    if choice is None:
        possible = range(field.weather.start.year, field.weather.end.year + 1)
        years = tuple(year for year in possible if covers(field.weather, *field.days(year)))
        if not years:
            raise WeatherError(f"{field.weather!r} holds no season from {field.start} to {field.latest_harvest}")
        return years
    years = (choice,) if isinstance(choice, Integral) else tuple(choice)  # type: ignore[arg-type, assignment]
    if not years or not all(isinstance(year, Integral) and 1 < year < 9999 for year in years):
        raise ValueRangeError("year", choice, "a year, or several")
    for year in years:
        check_days(field.weather, *field.days(int(year)))
    return tuple(int(year) for year in years)


def choose_names(choice: ObservationChoice, offered: Sequence[str]) -> tuple[str, ...]:
    """What is observed: "paper" for what of the paper's quantities there is, or any names or symbols."""

    class Offered(Fields):
        catalogue = Catalogue(
            {name: OBSERVABLES[name] for name in offered},
            {"paper": tuple(name for name in PAPER if name in offered)},
            by_symbol=True,
        )

    return tuple(q.name for q in Offered.choose(choice).quantities)
