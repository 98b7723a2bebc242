"""The record of doses in a season, their limits, and the price of nitrogen."""

import dataclasses
from typing import Any, TypeVar

import jax.numpy as jnp
from jax import Array

from phytotron.core.arrays import kept_if
from phytotron.core.fields import Value, quantity, record

KG_HA = 10.0  # kg ha-1 in a g m-2
TONNES = 0.01  # t ha-1 per g m-2

Done = TypeVar("Done", bound="Farming")


@record
class RewardParameters:
    """The price of nitrogen, in units of grain."""

    nitrogen_penalty: Value = quantity(
        "beta", "g g{N}-1", "grain that one unit of applied nitrogen is set against", default=10.0, low=0.0, high=1e6
    )


@record
class Limits:
    """Limits of the season; `costs` says by how much they are exceeded."""

    nitrogen: Value = quantity("Nmax", "kg ha-1", "nitrogen applied", default=200.0, low=0.0)
    applications: Value = quantity("nmax", "-", "number of applications", default=8.0, low=0.0)


@record
class Farming:
    """The doses and measurements so far, on every field that gets the dose."""

    dose: Array  # kg ha-1, at the last decision
    total_dose: Array  # kg ha-1
    applications: Array  # decisions with a dose

    @classmethod
    def none(cls: type[Done], precision: str) -> Done:
        """Return the record at the start of a season, which is empty."""
        return cls(**{each.name: jnp.zeros((), precision) for each in dataclasses.fields(cls)})


def farmed(before: Done, over: Array, dose: Array, **others: Any) -> Done:
    """Return the record after a decision for a dose [kg ha-1] and other fields.

    After the end of a season, nothing is added.
    """
    now = dataclasses.replace(
        before,
        dose=dose,
        total_dose=before.total_dose + dose,
        applications=before.applications + (dose > 0.0),
        **others,
    )
    return kept_if(over, before, now)


def costs(total_dose: Array, applications: Array, limits: Limits) -> dict[str, Array]:
    """Return by how much the limits of the season are exceeded so far, in kg ha-1 and in applications."""
    return {
        "nitrogen": jnp.maximum(total_dose - limits.nitrogen, 0.0),
        "applications": jnp.maximum(applications - limits.applications, 0.0),
    }
