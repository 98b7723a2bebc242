"""Named splits: on which days of which weather to train, to validate and to test.

Test days are never days of training or validation. Validation days are no training days either, but in the split of
GreenLight-Gym, whose paper validates on days of its training years: `Split.validation_within_train`.
"""

import itertools
import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from phytotron.core.errors import PhytotronError, SharedDaysWarning, UnknownNameError
from phytotron.core.making import described
from phytotron.core.registry import Registry

PARTS = ("train", "validation", "test")
EPISODE_DAYS = 10
SEASON = (date(2000, 3, 1), date(2000, 9, 1))  # first and last day on which GreenLight-Gym starts a training episode


@dataclass(frozen=True)
class Windows:
    """Stretches of equal length of one series of weather (see `archive`)."""

    series: str
    starts: tuple[date, ...]
    days: int

    @property
    def dates(self) -> set[date]:
        """The days that lie in a window."""
        first = [start.toordinal() for start in self.starts]
        numbers = set[int]().union(*(range(n, n + self.days) for n in first))
        return {date.fromordinal(n) for n in numbers}  # made once for each day, as windows overlap

    def __iter__(self) -> Iterator[tuple[date, date]]:
        """First day, and the day after the last, of every window."""
        return ((start, start + timedelta(days=self.days)) for start in self.starts)

    def lasting(self, days: float) -> "Windows":
        """Return the same windows, lengthened where they are shorter than some days."""
        return replace(self, days=max(self.days, math.ceil(days)))

    @property
    def years(self) -> tuple[int, ...]:
        """The calendar years that the windows touch."""
        touched = {each.year for first, end in self for each in (first, end - timedelta(days=1))}
        return tuple(sorted(touched))


@dataclass(frozen=True)
class Split:
    """Windows to train, validate and test on; those to test on share no day with the others.

    Those to train and to validate on share none either, unless `validation_within_train`: as published, validation
    takes its days from the training years.
    """

    name: str
    description: str
    train: tuple[Windows, ...]
    validation: tuple[Windows, ...]
    test: tuple[Windows, ...]
    validation_within_train: bool = False
    daily: bool = False  # days for a field, instead of hours for a greenhouse

    def __post_init__(self) -> None:
        pairs = [("train", "test"), ("validation", "test")]
        if not self.validation_within_train:
            pairs.append(("train", "validation"))
        for one, other in pairs:
            shared = overlap(self.part(one), self.part(other))
            if shared:
                raise PhytotronError(
                    f"split {self.name!r}: {one} and {other} both hold {shared[1]} of {shared[0]}; "
                    "choose windows that share no day"
                )

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that have windows."""
        return tuple(name for name in PARTS if self.part(name))

    def part(self, name: str) -> tuple[Windows, ...]:
        """Return the windows of `train`, `validation` or `test`."""
        if name not in PARTS:
            raise UnknownNameError("part of a split", name, PARTS)
        windows: tuple[Windows, ...] = getattr(self, name)
        return windows


def overlap(one: Sequence[Windows], other: Sequence[Windows]) -> tuple[str, date] | None:
    """Return a series and a day that occur in both, if there is one."""
    for a, b in itertools.product(one, other):
        if a.series == b.series and not a.dates.isdisjoint(b.dates):
            return a.series, min(a.dates & b.dates)
    return None


def _fault(found: Any) -> str:
    """Return why an object, such as one of an installed package, is no split; empty where it is one."""
    return "" if isinstance(found, Split) else f"is {described(found)}; expected a phytotron.weather.splits.Split"


def every_day(series: str, years: Sequence[int]) -> Windows:
    """Return ten days from every day of the training season on, 1 March to 1 September."""
    starts = []
    for year in years:
        first, last = (day.replace(year=year) for day in SEASON)
        starts += [first + timedelta(days=n) for n in range((last - first).days + 1)]
    return Windows(series, tuple(starts), EPISODE_DAYS)


def first_days(series: str, years: Sequence[int], months: Sequence[int] = range(3, 9)) -> Windows:
    """Return ten days from the first of some months on, March to August."""
    return Windows(series, tuple(date(year, month, 1) for year in years for month in months), EPISODE_DAYS)


def wheat_seasons(series: str, years: Sequence[int]) -> Windows:
    """Return the seasons from 1 January to the end of August, the longest that CropGym allows for winter wheat."""
    return Windows(series, tuple(date(year, 1, 1) for year in years), 243)


SCHIPHOL = "knmi_240_hourly"
CROPGYM_SITES = ("nasa_power_52.00N_5.50E_daily", "nasa_power_51.50N_5.00E_daily", "nasa_power_52.50N_6.00E_daily")
CROPGYM_SOUTH = "nasa_power_48.00N_0.00E_daily"
ODD, EVEN = range(1991, 2022, 2), range(1990, 2022, 2)
# The station missed September to December 1991; seasons end in August, so no year is lost.
WAGENINGEN_TRAIN, WAGENINGEN_TEST = range(1977, 2000, 2), range(1976, 2000, 4)
WAGENINGEN_VALIDATION = range(1978, 2000, 4)

SPLITS = Registry(
    "weather split",
    "phytotron.splits",
    {
        split.name: split
        for split in (
            Split(
                "greenlight_gym",
                "the paper's: train on 2011-2020, validate on days of the same years, test on 2001-2010, Schiphol",
                train=(every_day(SCHIPHOL, range(2011, 2021)),),
                validation=(first_days(SCHIPHOL, range(2011, 2021)),),
                test=(first_days(SCHIPHOL, range(2001, 2011)),),
                validation_within_train=True,
            ),
            Split(
                "embedded",
                "what comes with the package: train on 2008-2010, validate on 2011, test on 2012, Schiphol",
                train=(every_day("schiphol", range(2008, 2011)),),
                validation=(first_days("schiphol", (2011,)),),
                test=(first_days("schiphol", (2012,)),),
            ),
            Split(
                "schiphol",
                "without the years before 2008: train on 2011-2020, test on 2008-2010 and 2021-2024, Schiphol",
                train=(every_day(SCHIPHOL, range(2011, 2021)),),
                validation=(first_days(SCHIPHOL, (2025,), (3, 4, 5)),),
                test=(first_days(SCHIPHOL, (*range(2008, 2011), *range(2021, 2025))),),
            ),
            Split(
                "cropgym",
                "the crop paper's: train on odd years at three sites, test on even ones at (52 N, 5.5 E)",
                train=tuple(wheat_seasons(site, ODD) for site in CROPGYM_SITES),
                validation=(),
                test=(wheat_seasons(CROPGYM_SITES[0], EVEN),),
                daily=True,
            ),
            Split(
                "cropgym_south",
                "the crop paper's other climate: trained as in `cropgym`, tested on even years at (48 N, 0 E)",
                train=tuple(wheat_seasons(site, ODD) for site in CROPGYM_SITES),
                validation=(),
                test=(wheat_seasons(CROPGYM_SOUTH, EVEN),),
                daily=True,
            ),
            Split(
                "embedded_wheat",
                "what comes with the package: train on odd years, validate and test on even ones, Wageningen 1976-1999",
                train=(wheat_seasons("wageningen", WAGENINGEN_TRAIN),),
                validation=(wheat_seasons("wageningen", WAGENINGEN_VALIDATION),),
                test=(wheat_seasons("wageningen", WAGENINGEN_TEST),),
                daily=True,
            ),
        )
    },
    fault=_fault,
)


def find_split(name: str) -> Split:
    """Return the split of a name."""
    found: Split = SPLITS[name]
    return found


def warn_of_shared_days(weather: str, days: float) -> None:
    """Warn of weather "SPLIT:PART" on which episodes outlast its windows, so that they share days with another part.

    What trains on one is then not tested on unseen days of the other. Other names, and parts that share days as
    published, are let through.
    """
    name, _, part = weather.partition(":")
    if name not in SPLITS or part not in PARTS:
        return
    split = find_split(name)
    longer = {each: [window.lasting(days) for window in split.part(each)] for each in split.parts}
    for other in [each for each in longer if each != part]:
        published = split.validation_within_train and {part, other} == {"train", "validation"}
        shared = None if published else overlap(longer.get(part, ()), longer[other])
        if shared:
            warnings.warn(
                f"episodes of {days:g} days on {weather} reach {shared[1]} of {shared[0]}, as those on {name}:{other} "
                "do; to test on unseen days, shorten them, or choose a split whose parts lie further apart",
                SharedDaysWarning,
                stacklevel=2,
            )
            return
