"""Seasons of a PCSE model: made, run day by day with what is applied, and probed for whether it arrives."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any

from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.simulators.pcse.models import PcseModel, Treatment, Variable, engine_class
from phytotron.simulators.pcse.weather import check_days, pcse_module, pcse_weather
from phytotron.weather.table import WeatherTable

PARTS = ("crop", "soil", "site")
START_TYPES = ("emergence", "sowing")
AUTUMN = (8, 1)  # a crop that starts on this day of the year or later is harvested in the year after
LONGEST = 366  # d
PROBE_DAYS = 3  # what is applied on a day is in the soil two mornings later
ARRIVED = 0.1  # of the amount without losses; SNOMIN loses some at once


class Season:
    """One run of a model. What is applied enters on the day after the present one."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine

    @property
    def day(self) -> date:
        """The present day."""
        return self.row["day"]

    @property
    def row(self) -> dict[str, Any]:
        """PCSE's output of the day."""
        return self.rows[-1]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """PCSE's output of every day so far."""
        return self._engine.get_output()

    @property
    def over(self) -> bool:
        """Return whether the crop is off the field."""
        return bool(self._engine.crop is None or self._engine.flag_terminate)

    def has(self, name: str) -> bool:
        """Return whether the model has a variable."""
        return bool(self._engine.kiosk.variable_exists(name))

    def apply(self, treatment: Treatment, amount: float) -> None:
        """Apply an amount [kg ha-1 or mm] applied."""
        if amount > 0.0:
            self._engine.due += ((treatment, amount),)

    def run(self, days: int) -> None:
        """Run some days, or fewer if the crop comes off the field before."""
        for _ in range(days):
            if self.over:
                return
            self._engine.run(days=1)

    def finish(self) -> None:
        """Run until the crop is off the field."""
        while not self.over:
            self.run(1)


@dataclass(frozen=True)
class Field:
    """A field of PCSE: its model, weather, crop, soil and site, and the first and last days of its seasons."""

    name: str
    model: PcseModel
    weather: WeatherTable  # of `field_days`
    crop: Mapping[str, Any]
    soil: Mapping[str, Any]
    site: Mapping[str, Any]
    start: tuple[int, int]  # month, day
    start_type: str
    latest_harvest: tuple[int, int]

    def __post_init__(self) -> None:
        if self.start_type not in START_TYPES:
            raise UnknownNameError("start of the crop", self.start_type, START_TYPES)
        for what, value in (("start", self.start), ("latest_harvest", self.latest_harvest)):
            if not is_day(value):
                raise ValueRangeError(what, value, "a month and a day, such as (1, 1)")
        first, last = self.days(2001)
        if first >= last:
            raise ValueRangeError("latest_harvest", self.latest_harvest, f"a day after the start on {self.start}")
        for what in PARTS:
            known = getattr(self.model, what)
            unknown = sorted(set(getattr(self, what)) - set(known)) if self.model.crop else []
            if unknown:  # PCSE would read it and never use it
                raise UnknownNameError(f"{what} parameter of {self.name}", unknown[0], known)
            if not (known or getattr(self, what)):
                raise PhytotronError(
                    f"{self.name} needs {what} parameters, which PCSE downloads and Phytotron does not hold: give "
                    f"{what}={{...}} by PCSE's names; for crops see simulators.pcse.parameters.crop_parameters"
                )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_provider"}  # made again when needed

    @cached_property
    def _provider(self) -> Any:
        return pcse_weather(self.weather)

    def days(self, year: int) -> tuple[date, date]:
        """Return the day on which the crop of a harvest year starts, and the latest day of its harvest."""
        first = date(year - 1 if self.start >= AUTUMN else year, *self.start)
        return first, date(year, *self.latest_harvest)

    def season(self, year: int) -> Season:
        """Return the season of a harvest year, on its first day."""
        first, last = self.days(year)
        check_days(self.weather, first, last)
        base, errors = pcse_module("base"), pcse_module("exceptions")
        given = {f"{each}data": dict(getattr(self.model, each)) | dict(getattr(self, each)) for each in PARTS}
        crop = {
            "crop_name": self.name,
            "variety_name": self.name,
            "crop_start_date": first,
            "crop_start_type": self.start_type,
            "crop_end_date": last,
            "crop_end_type": "earliest",
            "max_duration": LONGEST,
        }
        calendar = [{first: {"CropCalendar": crop, "TimedEvents": None, "StateEvents": None}}]
        try:
            engine = _receptive(engine_class(self.name, self.model))(
                base.ParameterProvider(**given), self._provider, calendar, output_vars=self._outputs
            )
        except (errors.PCSEError, KeyError) as error:
            raise PhytotronError(f"PCSE cannot start {self.name}: {error}; see crop, soil and site") from error
        return Season(engine)

    @property
    def _outputs(self) -> list[str]:
        wanted = [self.model.grain, *self.model.observables.values()]
        treatments = [each for each in (self.model.nitrogen, self.model.irrigation) if each is not None]
        symbols = [name for each in wanted for name in each.symbols]
        return list(dict.fromkeys(symbols + [name for each in treatments for name in each.arrives]))

    def check_variables(self, year: int) -> None:
        """Refuse a model that does not have the variables that are read; PCSE gives None for them."""
        season = self.season(year)
        missing = [name for name in self._outputs if not season.has(name)]
        if missing:
            raise PhytotronError(f"{self.model.engine} has no variable {', '.join(missing)}; correct the PcseModel")

    def check_arrival(self, treatment: Treatment, amount: float, year: int) -> None:
        """Run a few days with and without an amount, and refuse a model in which it does not arrive."""
        states = []
        for applied in (0.0, amount):
            season = self.season(year)
            season.apply(treatment, applied)
            season.run(PROBE_DAYS)
            states.append(value(season.row, Variable(treatment.arrives)))
        risen, expected = states[1] - states[0], amount * treatment.per_amount
        if not risen >= ARRIVED * expected:
            raise PhytotronError(
                f"{treatment.signal} does not reach {self.name}: {' + '.join(treatment.arrives)} should rise by about "
                f"{expected:g} and rose by {risen:g}"
            )


def is_day(choice: Any) -> bool:
    """Return whether this is a month and a day that every year has."""
    try:
        return isinstance(choice, tuple) and date(2001, *choice) is not None
    except (TypeError, ValueError):
        return False


def value(row: Mapping[str, Any], variable: Variable) -> float:
    """Return a quantity of a day; what a crop that has not emerged does not have yet is 0."""
    return variable.factor * sum(float(row[name] or 0.0) for name in variable.symbols)


def grain_by_day(season: Season, grain: Variable) -> dict[date, float]:
    """Return the grain on every day so far."""
    return {row["day"]: value(row, grain) for row in season.rows}


def on(series: Mapping[date, float], day: date) -> float:
    """Return a series on a day, or what it ended with."""
    return series[day] if day in series else series[max(each for each in series if each < day)]


@functools.cache
def _receptive(engine: Any) -> Any:
    """The same model, with what is due signalled at the beginning of a day's rates.

    That is when PCSE's own calendar sends its events. A signal sent between two calls of `run` works in LINTUL-3, but
    WOFOST's classic nitrogen balance clears its rates, and with them the dose, when the next day begins.
    """
    signals = pcse_module("signals")

    class Receptive(engine):  # type: ignore[misc]
        due: tuple[tuple[Treatment, float], ...] = ()

        def calc_rates(self, day: date, drv: Any) -> None:
            for treatment, amount in self.due:
                self._send_signal(signal=getattr(signals, treatment.signal), **treatment.arguments(amount))
            self.due = ()
            super().calc_rates(day, drv)

    return Receptive


def days_since_new_year(day: date) -> int:
    """Return the number of days since 1 January."""
    return (day - date(day.year, 1, 1)) // timedelta(days=1)
