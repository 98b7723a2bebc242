"""Relaxation rates of the light nodes of the greenhouse: the stiff part of the Jacobian, in closed form.

Of the 28 modes only a few are faster than 0.03 1/s: the thin layer of air above the screens exchanges heat, vapour and
CO2 with the main air and the outdoors (up to 2 1/s in a storm), the two faces of the cover conduct (0.7 1/s), lamps and
screens follow the air (0.2 1/s), the canopy follows (0.03 1/s). They form four pairs and five single nodes. A linearly
implicit step (`solvers.Rosenbrock2`) needs this part only; being a W-method it stays of order 2 whatever is left out.
"""

import dataclasses
from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.constants import KELVIN
from phytotron.core.fields import Value
from phytotron.models.greenlight.derivative import Forcing, Processes
from phytotron.models.greenlight.states import State
from phytotron.models.greenlight.ventilation import gap_flow
from phytotron.weather.humid_air import saturation_slope


class Pair(NamedTuple):
    """Rates [1/s] of two coupled nodes: d(a)/dt = -a_loss a + a_gain b, d(b)/dt = b_gain a - b_loss b."""

    a_loss: Value
    a_gain: Value
    b_gain: Value
    b_loss: Value

    def solve(self, step: Value, a: Value, b: Value) -> tuple[Value, Value]:
        """Return (I + step * rates)^-1 applied to (a, b)."""
        diagonal_a, diagonal_b = 1.0 + step * self.a_loss, 1.0 + step * self.b_loss
        to_a, to_b = step * self.a_gain, step * self.b_gain
        determinant = diagonal_a * diagonal_b - to_a * to_b
        return (diagonal_b * a + to_a * b) / determinant, (diagonal_a * b + to_b * a) / determinant


class Relaxation(NamedTuple):
    """The stiff part of the Jacobian."""

    temperature: Pair  # main air and top air
    vapour: Pair
    co2: Pair
    cover: Pair  # inner and outer face
    canopy: Value
    lamp: Value
    interlamp: Value
    thermal_screen: Value
    blackout_screen: Value

    def solve(self, step: Value, rates: State) -> State:
        """Return (I - step * Jacobian)^-1 applied to rates of change."""
        air_co2, top_co2 = self.co2.solve(step, rates.air_co2, rates.top_co2)
        air, top = self.temperature.solve(step, rates.air_temperature, rates.top_temperature)
        air_vapour, top_vapour = self.vapour.solve(step, rates.air_vapour_pressure, rates.top_vapour_pressure)
        inner, outer = self.cover.solve(step, rates.inner_cover_temperature, rates.outer_cover_temperature)
        return dataclasses.replace(
            rates,
            air_co2=air_co2,
            top_co2=top_co2,
            air_temperature=air,
            top_temperature=top,
            air_vapour_pressure=air_vapour,
            top_vapour_pressure=top_vapour,
            inner_cover_temperature=inner,
            outer_cover_temperature=outer,
            canopy_temperature=rates.canopy_temperature / (1.0 + step * self.canopy),
            lamp_temperature=rates.lamp_temperature / (1.0 + step * self.lamp),
            interlamp_temperature=rates.interlamp_temperature / (1.0 + step * self.interlamp),
            thermal_screen_temperature=rates.thermal_screen_temperature / (1.0 + step * self.thermal_screen),
            blackout_screen_temperature=rates.blackout_screen_temperature / (1.0 + step * self.blackout_screen),
        )


# Air exchange by density grows with the root of the temperature difference, whose slope at zero says nothing about the
# exchange a moment later: the flow is taken at no less than this difference [K].
LEAST_DIFFERENCE = 1.0

WET_SLOPE = 2.45e6 * 6.4e-9  # latent heat of condensation per Pa and per unit of the convection coefficient [K Pa-1]


def relaxation(state: State, flux: Processes, f: Forcing) -> Relaxation:
    """Return the stiff part of the Jacobian at a state, from the fluxes there."""
    p, derived, heat = f.parameters, f.design, flux.heat
    convective = 1.0 + p.convective_exponent  # d(|dT|^n dT) / d(dT)
    flow = jnp.maximum(flux.flows.air_top, gap_flow(state, f.openings, p, LEAST_DIFFERENCE))
    side, vent = flux.flows.air_out, flux.flows.top_out

    leaf = 2.0 * p.leaf_convection * flux.leaves.leaf_area
    air_screens = heat.air_thermal_screen_coefficient + heat.air_blackout_screen_coefficient
    top_screens = heat.thermal_screen_top_coefficient + heat.blackout_screen_top_coefficient
    exchange = 1.5 * derived.air_heat * flow
    air_loss = exchange + derived.air_heat * side + leaf + p.lamp_convection + p.interlamp_convection
    air_loss = air_loss + convective * (heat.air_floor_coefficient + air_screens) + 1.32 * heat.pipe_air_coefficient
    top_cover = convective * heat.top_cover_coefficient
    top_loss = exchange + derived.air_heat * vent + convective * top_screens + top_cover

    kelvin = state.air_temperature + KELVIN
    radiative = 4.0 * p.stefan_boltzmann * kelvin * kelvin * kelvin
    wetness = WET_SLOPE * saturation_slope(state.air_temperature)
    conduction = derived.cover_conductance / derived.cover_capacity
    inner_loss = top_cover * (1.0 + wetness) + radiative * derived.cover_fir_emissivity
    outer_loss = f.outer_convection + radiative * derived.cover_fir_emissivity

    def screen(closure: Value, air: Value, top: Value, emissivity: Value, capacity: Value) -> Value:
        loss = convective * (air * (1.0 + wetness) + top) + 2.0 * radiative * emissivity * closure
        return loss / capacity

    carried = Pair(
        (flow + side) / p.air_height,
        flow / p.air_height,
        flow / derived.top_height,
        (flow + vent) / derived.top_height,
    )
    wet_leaf = p.latent_heat * flux.vapour.canopy_air_coefficient * saturation_slope(state.canopy_temperature)
    return Relaxation(
        temperature=Pair(
            air_loss / derived.air_capacity,
            exchange / derived.air_capacity,
            exchange / derived.top_capacity,
            top_loss / derived.top_capacity,
        ),
        vapour=carried,
        co2=carried,
        cover=Pair(
            conduction + inner_loss / derived.cover_capacity,
            conduction,
            conduction,
            conduction + outer_loss / derived.cover_capacity,
        ),
        canopy=(leaf + wet_leaf + radiative) / (p.leaf_capacity * flux.leaves.leaf_area),
        lamp=(p.lamp_convection + 2.0 * radiative * p.lamp_area) / p.lamp_capacity,
        interlamp=(p.interlamp_convection + 2.0 * radiative * p.interlamp_area) / p.interlamp_capacity,
        thermal_screen=screen(
            f.control.thermal_screen,
            heat.air_thermal_screen_coefficient,
            heat.thermal_screen_top_coefficient,
            p.thermal_screen_fir_emissivity,
            derived.thermal_screen_capacity,
        ),
        blackout_screen=screen(
            f.control.blackout_screen,
            heat.air_blackout_screen_coefficient,
            heat.blackout_screen_top_coefficient,
            p.blackout_screen_fir_emissivity,
            derived.blackout_screen_capacity,
        ),
    )
