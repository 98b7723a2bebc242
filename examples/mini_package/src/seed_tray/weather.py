"""A weather split from outside the package: other years of the embedded series of Wageningen for the wheat task."""

from __future__ import annotations

from phytotron.weather.splits import Split, wheat_seasons

WHEAT_DECADES = Split(
    "wheat_decades",
    "train on the seventies and eighties, validate on 1990 and test on 1992 to 1994, Wageningen",
    train=(wheat_seasons("wageningen", range(1976, 1990)),),
    validation=(wheat_seasons("wageningen", (1990,)),),
    test=(wheat_seasons("wageningen", (1992, 1993, 1994)),),
    daily=True,
)
