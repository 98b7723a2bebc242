"""Van Henten's greenhouse with lettuce: four balances of a well-mixed air space and its crop.

Equation numbers, symbols and values are those of van Henten (2003); only `Parameters.leakage` is the benchmark's.
Controls come in the units of their actuators. All functions are elementwise over the batch.

References
----------
1. van Henten (1994). PhD thesis, Wageningen Agricultural University. https://doi.org/10.18174/205106
2. van Henten (2003). Biosystems Engineering 85, 355-364. https://doi.org/10.1016/S1537-5110(03)00068-0
3. van Laatum et al. (2026). Control Engineering Practice 169, 106787. https://doi.org/10.1016/j.conengprac.2026.106787
"""

from __future__ import annotations

import jax.numpy as jnp

from phytotron.core.fields import Value, fraction, positive, quantities, quantity, record
from phytotron.solvers import RK4, Problem, integrate, uniform
from phytotron.weather.humid_air import percent_per_density, ppm_per_density

INTERVAL = 1800.0  # s, for which control and weather are held
SUBSTEPS = 4  # of RK4 in an interval, as in the benchmark


@record
class State:
    """The state of the greenhouse. The ranges are those to which the benchmark confines it after every interval."""

    dry_weight: Value = quantity("X_d", "kg m-2", "dry weight of the crop", low=0.002, high=0.6)
    co2: Value = quantity("X_c", "kg m-3", "CO2 concentration of the air", low=0.0, high=0.004)
    temperature: Value = quantity("X_T", "°C", "air temperature", low=5.0, high=40.0)
    humidity: Value = quantity("X_h", "kg m-3", "water vapour concentration of the air", low=0.0, high=0.051)


@record
class Climate:
    """The air of the greenhouse as instruments show it."""

    co2: Value = quantity("CO2", "ppm", "CO2 of the air", low=0.0, high=2400.0)
    temperature: Value = quantity("X_T", "°C", "air temperature", low=5.0, high=40.0)
    relative_humidity: Value = quantity("RH", "%", "relative humidity of the air", low=0.0, high=100.0)

    @classmethod
    def of(cls, state: State) -> Climate:
        """Return the readings for a state, relative humidity by Magnus's formula instead of eq. 12, up to 100 %."""
        co2 = ppm_per_density(state.temperature) * state.co2
        relative_humidity = jnp.minimum(percent_per_density(state.temperature) * state.humidity, 100.0)
        return cls(co2=co2, temperature=state.temperature, relative_humidity=relative_humidity)


@record
class Control:
    """The actuators and their ranges."""

    co2_supply: Value = quantity("U_c", "mg m-2 s-1", "CO2 supplied", low=0.0, high=1.2)
    ventilation: Value = quantity("U_v", "mm s-1", "air exchange through the vents", low=0.0, high=7.5)
    heating: Value = quantity("U_q", "W m-2", "heat supplied", low=0.0, high=150.0)


@record
class Weather:
    """The air and the sun outdoors."""

    radiation: Value = quantity("V_rad", "W m-2", "global radiation outdoors", low=0.0, high=1500.0)
    outdoor_co2: Value = quantity("V_c", "kg m-3", "CO2 concentration outdoors", low=0.0, high=0.01)
    outdoor_temperature: Value = quantity("V_T", "°C", "air temperature outdoors", low=-50.0, high=60.0)
    outdoor_humidity: Value = quantity("V_h", "kg m-3", "water vapour concentration outdoors", low=0.0, high=0.1)


@record
class Parameters:
    """Constants of the model; values of van Henten (2003), table of notation, unless stated otherwise."""

    yield_factor: Value = fraction("c_αβ", "dry weight formed per CO2 fixed", default=0.544)
    dry_weight_respiration: Value = positive("c_resp,d", "s-1", "dry weight respired at 25 °C", default=2.65e-7)
    co2_respiration: Value = positive("c_resp,c", "s-1", "CO2 respired per dry weight at 25 °C", default=4.87e-7)
    canopy_surface: Value = positive("c_pl,d", "m2 kg-1", "effective canopy surface", default=53.0)
    light_use_efficiency: Value = positive("c_rad,phot", "kg J-1", "light use efficiency", default=3.55e-9)
    co2_diffusion_square: Value = quantity("c_co2,1", "m s-1 °C-2", "diffusion of CO2 into leaves", default=5.11e-6)
    co2_diffusion_slope: Value = quantity("c_co2,2", "m s-1 °C-1", "diffusion of CO2 into leaves", default=2.3e-4)
    co2_diffusion_offset: Value = quantity("c_co2,3", "m s-1", "diffusion of CO2 into leaves", default=6.29e-4)
    co2_compensation: Value = positive("c_Γ", "kg m-3", "CO2 compensation point", default=5.2e-5)
    co2_capacity: Value = positive("c_cap,c", "m", "capacity of the air for CO2", default=4.1)
    heat_capacity: Value = positive("c_cap,q", "J m-2 °C-1", "heat capacity of the greenhouse", default=3e4)
    vapour_capacity: Value = positive("c_cap,h", "m", "capacity of the air for vapour", default=4.1)
    air_heat_capacity: Value = positive("c_cap,q,v", "J m-3 °C-1", "heat capacity of air", default=1290.0)
    cover_heat_transfer: Value = positive("c_ai,ou", "W m-2 °C-1", "heat transfer of the cover", default=6.1)
    radiation_heat_load: Value = fraction("c_rad,q", "share of the radiation that heats the air", default=0.2)
    leakage: Value = positive("c_leak", "m s-1", "leakage; van Henten has 0.75e-4", default=0.75e-5)
    transpiration_transfer: Value = positive("c_v,pl,ai", "m s-1", "transfer of vapour from the leaves", default=3.6e-3)
    saturation_pressure: Value = positive("c_v,1", "J m-3", "saturated vapour", default=9348.0)
    saturation_slope: Value = quantity("c_v,2", "-", "saturated vapour", default=17.4)
    saturation_offset: Value = quantity("c_v,3", "°C", "saturated vapour", default=239.0, low=100.0)
    gas_constant: Value = positive("c_R", "J K-1 kmol-1", "gas constant", default=8314.0)
    zero_celsius: Value = quantity("c_T,abs", "K", "absolute temperature at 0 °C", default=273.15, low=200.0)


def derivative(state: State, control: Control, weather: Weather, p: Parameters) -> State:
    """Return the rates of change [unit of the state per second]."""
    t = state.temperature
    co2_supply = 1e-6 * control.co2_supply  # kg m-2 s-1
    ventilation = 1e-3 * control.ventilation  # m s-1
    closure = 1.0 - jnp.exp(-p.canopy_surface * state.dry_weight)  # share of the ground that the crop covers
    diffusion = -p.co2_diffusion_square * t**2 + p.co2_diffusion_slope * t - p.co2_diffusion_offset
    co2_limited = diffusion * (state.co2 - p.co2_compensation)
    light_limited = p.light_use_efficiency * weather.radiation
    both = co2_limited + light_limited  # zero at night with CO2 at the compensation point, and so is photosynthesis
    respiring = state.dry_weight * 2.0 ** (0.1 * t - 2.5)
    saturated = p.saturation_pressure / (p.gas_constant * (t + p.zero_celsius))
    saturated = saturated * jnp.exp(p.saturation_slope * t / (t + p.saturation_offset))  # kg m-3
    exchange = ventilation + p.leakage

    assimilation = closure * light_limited * co2_limited / jnp.where(both == 0.0, 1.0, both)  # eq. 6
    co2_loss = exchange * (state.co2 - weather.outdoor_co2)  # eq. 7
    heat_loss = (p.air_heat_capacity * ventilation + p.cover_heat_transfer) * (t - weather.outdoor_temperature)  # eq. 8
    heat_load = p.radiation_heat_load * weather.radiation  # eq. 9
    transpiration = closure * p.transpiration_transfer * (saturated - state.humidity)  # eq. 10
    vapour_loss = exchange * (state.humidity - weather.outdoor_humidity)  # eq. 11
    return State(
        dry_weight=p.yield_factor * assimilation - p.dry_weight_respiration * respiring,  # eq. 2
        co2=(-assimilation + p.co2_respiration * respiring + co2_supply - co2_loss) / p.co2_capacity,  # eq. 3
        temperature=(control.heating - heat_loss + heat_load) / p.heat_capacity,  # eq. 4
        humidity=(transpiration - vapour_loss) / p.vapour_capacity,  # eq. 5
    )


def advance(state: State, control: Control, weather: Weather, p: Parameters) -> State:
    """Return the greenhouse half an hour later, confined to the ranges of `State`."""
    problem = Problem(lambda _, now: derivative(now, control, weather, p))
    after = integrate(RK4(), problem, state, uniform(INTERVAL, SUBSTEPS))
    return State(**{q.name: jnp.clip(getattr(after, q.name), q.low, q.high) for q in quantities(State)})
