"""Sun and lamp light: what crop, floor, air and cover absorb.

Vanthoor 2011, eqs. 8.26-8.37; Katzin 2021, eqs. 7.7-7.27.
"""

from typing import NamedTuple

from phytotron.core.fields import Value
from phytotron.models.greenlight.optics import Canopy, CoverOptics, Layer, stack, symmetric
from phytotron.models.greenlight.parameter_sets import Equations
from phytotron.models.greenlight.parameters import Parameters
from phytotron.models.greenlight.states import Control, Weather


class Light(NamedTuple):
    """Light that enters the greenhouse [W m-2], independent of the crop."""

    sun_par: Value  # above the canopy
    sun_nir: Value  # outside, less the share absorbed by the construction
    sun_construction_par: Value  # absorbed by the construction
    sun_construction_nir: Value  # to be multiplied by the NIR absorption of crop and floor
    sun_cover: Value  # absorbed by the cover
    cover_nir_reflection: Value
    lamp_power: Value  # electricity
    lamp_par: Value
    lamp_nir: Value
    interlamp_power: Value
    interlamp_par: Value
    interlamp_nir: Value
    canopy_radiation: Value  # above the canopy, for the stomata


class Absorbed(NamedTuple):
    """Shortwave gains of the nodes [W m-2] and photons absorbed by the canopy [µmol m-2 s-1]."""

    canopy: Value
    floor: Value
    air: Value
    cover: Value
    lamp: Value  # loss of the lamp as light, negative
    interlamp: Value
    photons: Value
    sun: Value  # all that was absorbed of the sun


def light(control: Control, weather: Weather, optics: CoverOptics, p: Parameters) -> Light:
    """Return the light of sun and lamps above the crop, and what the house absorbs of the sun [W m-2]."""
    sun_par = p.sun_par_fraction * weather.global_radiation
    sun_nir = p.sun_nir_fraction * weather.global_radiation
    passed = 1.0 - p.sun_absorbed_by_construction
    cover_par_absorption = 1.0 - optics.par.transmission - optics.par.reflection_up
    cover_nir_absorption = 1.0 - optics.nir.transmission - optics.nir.reflection_up
    lamp_power = control.lamp * p.lamp_power  # 7.8
    interlamp_power = control.interlamp * p.interlamp_power  # 7.15
    lamp_par, lamp_nir = p.lamp_par_efficiency * lamp_power, p.lamp_nir_efficiency * lamp_power  # 7.7
    interlamp_par = p.interlamp_par_efficiency * interlamp_power
    interlamp_nir = p.interlamp_nir_efficiency * interlamp_power
    canopy_sun = passed * (optics.par.transmission * sun_par + optics.nir.transmission * sun_nir)  # 7.24
    return Light(
        sun_par=passed * optics.par.transmission * sun_par,  # 8.28
        sun_nir=passed * sun_nir,
        sun_construction_par=p.sun_absorbed_by_construction * optics.par.transmission * sun_par,
        sun_construction_nir=p.sun_absorbed_by_construction * sun_nir,
        sun_cover=cover_par_absorption * sun_par + cover_nir_absorption * sun_nir,  # 8.37
        cover_nir_reflection=optics.nir.reflection_up,
        lamp_power=lamp_power,
        lamp_par=lamp_par,
        lamp_nir=lamp_nir,
        interlamp_power=interlamp_power,
        interlamp_par=interlamp_par,
        interlamp_nir=interlamp_nir,
        canopy_radiation=canopy_sun + lamp_par + lamp_nir + interlamp_par + interlamp_nir,  # 7.23-7.26
    )


def nir_absorption(cover_reflection: Value, leaves: Canopy, p: Parameters, equations: Equations) -> tuple[Value, Value]:
    """Return shares of the sun's NIR absorbed by canopy and floor (Vanthoor 2011, p. 213, eqs. 8.30-8.32)."""
    cover = symmetric(1.0 - cover_reflection, cover_reflection)
    crop = symmetric(leaves.nir, p.canopy_nir_reflection * (1.0 - leaves.nir))
    floor = symmetric(1.0 - p.floor_nir_reflection, p.floor_nir_reflection)
    cover_crop = stack(cover, crop)
    if equations.nir_reflection_with_canopy_transmission:
        bounces = 1.0 - cover.reflection_down * crop.reflection_up
        reflection_up = cover.reflection_up + crop.transmission**2 * crop.reflection_up / bounces
        cover_crop = Layer(cover_crop.transmission, reflection_up, cover_crop.reflection_down)
    whole = stack(cover_crop, floor)
    return 1.0 - whole.transmission - whole.reflection_up, whole.transmission


def absorbed(light: Light, leaves: Canopy, p: Parameters, equations: Equations) -> Absorbed:
    """Return the light that canopy, floor and other surfaces absorb [W m-2]."""
    canopy_nir_share, floor_nir_share = nir_absorption(light.cover_nir_reflection, leaves, p, equations)
    leaf_par, leaf_nir = 1.0 - p.canopy_par_reflection, 1.0 - p.canopy_nir_reflection
    floor_par, floor_nir = 1.0 - p.floor_par_reflection, 1.0 - p.floor_nir_reflection

    # Light from above: absorbed on the way down, and on the way up after reflection by the floor (8.26-8.29, 7.9).
    share = leaf_par * ((1.0 - leaves.par) + leaves.par * p.floor_par_reflection * (1.0 - leaves.par_up))
    sun_par_canopy, lamp_par_canopy = light.sun_par * share, light.lamp_par * share
    sun_par_floor, lamp_par_floor = (par * floor_par * leaves.par for par in (light.sun_par, light.lamp_par))  # 8.35
    lamp_nir_canopy = light.lamp_nir * leaf_nir * (1.0 - leaves.nir)  # 7.10
    lamp_nir_floor = light.lamp_nir * floor_nir * leaves.nir  # 7.11
    sun_nir_canopy, sun_nir_floor = light.sun_nir * canopy_nir_share, light.sun_nir * floor_nir_share  # 8.33-8.34

    # Light from within the canopy (7.13-7.21).
    down = p.interlamp_downward_fraction
    par_to_floor, nir_to_floor = down * leaves.interlamp_par_below, down * leaves.interlamp_nir_below
    par_kept = 1.0 - par_to_floor - (1.0 - down) * leaves.interlamp_par_above  # 7.13
    nir_kept = 1.0 - nir_to_floor - (1.0 - down) * leaves.interlamp_nir_above
    par_returned = par_to_floor * p.floor_par_reflection * (1.0 - leaves.interlamp_par_up)  # 7.18
    interlamp_par_canopy = light.interlamp_par * leaf_par * (par_kept + par_returned)
    interlamp_par_floor = light.interlamp_par * floor_par * par_to_floor  # 7.17
    interlamp_nir_canopy = light.interlamp_nir * leaf_nir * nir_kept  # 7.20
    interlamp_nir_floor = light.interlamp_nir * floor_nir * nir_to_floor  # 7.21

    lamp = lamp_par_canopy + lamp_nir_canopy + lamp_par_floor + lamp_nir_floor
    interlamp = interlamp_par_canopy + interlamp_nir_canopy + interlamp_par_floor + interlamp_nir_floor
    lamp_air = light.lamp_par + light.lamp_nir - lamp  # 7.12
    interlamp_air = light.interlamp_par + light.interlamp_nir - interlamp  # 7.22
    sun_air = light.sun_construction_par + light.sun_construction_nir * (canopy_nir_share + floor_nir_share)  # 8.36
    sun_canopy, sun_floor = sun_par_canopy + sun_nir_canopy, sun_par_floor + sun_nir_floor
    return Absorbed(
        canopy=sun_canopy + lamp_par_canopy + lamp_nir_canopy + interlamp_par_canopy + interlamp_nir_canopy,
        floor=sun_floor + lamp_par_floor + lamp_nir_floor + interlamp_par_floor + interlamp_nir_floor,
        air=sun_air + lamp_air + interlamp_air,
        cover=light.sun_cover,
        lamp=-(lamp + lamp_air),
        interlamp=-(interlamp + interlamp_air),
        photons=p.sun_photons_per_joule * sun_par_canopy
        + p.lamp_photons_per_joule * lamp_par_canopy
        + p.interlamp_photons_per_joule * interlamp_par_canopy,  # 7.27
        sun=sun_canopy + sun_floor + sun_air + light.sun_cover,
    )
