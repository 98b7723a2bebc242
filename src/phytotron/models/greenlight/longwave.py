"""Far-infrared exchange between all surfaces.

Every pair obeys A1 eps1 eps2 F12 sigma (T1^4 - T2^4) (Vanthoor 2011, eq. 8.38), with the view factors of Vanthoor
2011, table 8.3, and Katzin 2021, table 7.4. What lies below the screens (canopy, pipes, floor, lamps, inter-lamps)
sees what lies above (cover, sky, the two screens) through factors that are products of one number of the lower
surface and one of the upper: these twenty pairs are summed as two weighted sums.
"""

from typing import NamedTuple

from phytotron.core.constants import KELVIN
from phytotron.core.fields import Value
from phytotron.models.greenlight.design import PIPE_VIEW_UP, Design
from phytotron.models.greenlight.optics import Canopy, CoverOptics
from phytotron.models.greenlight.parameter_sets import Equations
from phytotron.models.greenlight.parameters import Parameters
from phytotron.models.greenlight.states import Control, State, Weather


class LongwaveViews(NamedTuple):
    """Factors that do not depend on the state: the view factors of the upper surfaces from below the screens."""

    cover: Value
    sky: Value
    thermal_screen: Value
    blackout_screen: Value
    pipe_sky_excess: Value  # see Equations.pipe_sees_sky_through_blackout_screen
    blackout_cover: Value
    blackout_sky: Value
    blackout_thermal: Value
    thermal_cover: Value
    thermal_sky: Value
    cover_sky: Value
    sky_emission: Value  # sigma T^4 of the sky [W m-2]


class Longwave(NamedTuple):
    """Net far-infrared gain of every surface [W m-2]; the gains add up to zero."""

    canopy: Value
    inner_cover: Value
    outer_cover: Value
    thermal_screen: Value
    blackout_screen: Value
    floor: Value
    pipe: Value
    grow_pipe: Value
    lamp: Value
    interlamp: Value
    sky: Value


def emission(temperature: Value, p: Parameters) -> Value:
    """Return black-body emission [W m-2] at a temperature [°C]."""
    squared = (temperature + KELVIN) * (temperature + KELVIN)
    return p.stefan_boltzmann * squared * squared


def longwave_views(
    control: Control, weather: Weather, optics: CoverOptics, p: Parameters, design: Design, equations: Equations
) -> LongwaveViews:
    """Return the view factors between surfaces in the far-infrared, for the positions of the screens."""
    thermal, blackout = control.thermal_screen, control.blackout_screen
    past_thermal, past_blackout = optics.thermal_screen_fir_transmission, optics.blackout_screen_fir_transmission
    cover = design.cover_fir_emissivity
    sky = p.roof_fir_transmission * p.sky_emissivity
    thermal_screen, blackout_screen = p.thermal_screen_fir_emissivity, p.blackout_screen_fir_emissivity
    excess = 1.0 - past_blackout if equations.pipe_sees_sky_through_blackout_screen else 0.0
    return LongwaveViews(
        cover=past_blackout * past_thermal * cover,
        sky=past_blackout * past_thermal * sky,
        thermal_screen=past_blackout * thermal * thermal_screen,
        blackout_screen=blackout * blackout_screen,
        pipe_sky_excess=excess * past_thermal * sky,
        blackout_cover=blackout * blackout_screen * past_thermal * cover,
        blackout_sky=blackout * blackout_screen * past_thermal * sky,
        blackout_thermal=blackout * blackout_screen * thermal * thermal_screen,
        thermal_cover=thermal * thermal_screen * cover,
        thermal_sky=thermal * thermal_screen * sky,
        cover_sky=cover * p.sky_emissivity,
        sky_emission=emission(weather.sky_temperature, p),
    )


def longwave(state: State, views: LongwaveViews, leaves: Canopy, p: Parameters, design: Design) -> Longwave:
    """Return the net far-infrared that every surface receives [W m-2]."""
    canopy = emission(state.canopy_temperature, p)
    inner_cover = emission(state.inner_cover_temperature, p)
    outer_cover = emission(state.outer_cover_temperature, p)
    thermal = emission(state.thermal_screen_temperature, p)
    blackout = emission(state.blackout_screen_temperature, p)
    floor = emission(state.floor_temperature, p)
    pipe = emission(state.pipe_temperature, p)
    grow_pipe = emission(state.grow_pipe_temperature, p)
    lamp = emission(state.lamp_temperature, p)
    interlamp = emission(state.interlamp_temperature, p)
    sky = views.sky_emission

    # What each lower surface sends upwards, past canopy and lamps.
    cover_of_leaves = 1.0 - leaves.fir
    past_lamps = design.lamp_transmission
    past_all = p.interlamp_fir_transmission * past_lamps * leaves.fir
    bare_floor = 1.0 - design.pipe_shade
    from_canopy = cover_of_leaves * p.canopy_emissivity * past_lamps
    from_pipe = design.pipe_area * p.pipe_emissivity * PIPE_VIEW_UP * past_all
    from_floor = p.floor_emissivity * bare_floor * past_all
    from_lamp = p.lamp_area * p.lamp_top_emissivity
    interlamp_strength = p.interlamp_area * p.interlamp_emissivity
    from_interlamp = interlamp_strength * past_lamps * leaves.interlamp_fir_above
    sent = from_canopy + from_pipe + from_floor + from_lamp + from_interlamp
    sent_emission = (
        from_canopy * canopy + from_pipe * pipe + from_floor * floor + from_lamp * lamp + from_interlamp * interlamp
    )
    visible = views.cover + views.sky + views.thermal_screen + views.blackout_screen
    seen_emission = (
        views.cover * inner_cover + views.sky * sky + views.thermal_screen * thermal + views.blackout_screen * blackout
    )

    # Pairs on the same side of the screens, from the first to the second.
    blackout_cover = views.blackout_cover * (blackout - inner_cover)
    blackout_sky = views.blackout_sky * (blackout - sky)
    blackout_thermal = views.blackout_thermal * (blackout - thermal)
    thermal_cover = views.thermal_cover * (thermal - inner_cover)
    thermal_sky = views.thermal_sky * (thermal - sky)
    cover_sky = views.cover_sky * (outer_cover - sky)
    pipe_sky_excess = from_pipe * views.pipe_sky_excess * (pipe - sky)
    canopy_floor = cover_of_leaves * p.canopy_emissivity * p.floor_emissivity * bare_floor * (canopy - floor)
    pipe_strength = design.pipe_area * p.pipe_emissivity * PIPE_VIEW_UP
    pipe_floor = pipe_strength * p.floor_emissivity * (pipe - floor)
    pipe_canopy = pipe_strength * p.canopy_emissivity * cover_of_leaves * (pipe - canopy)
    lamp_strength = p.lamp_area * p.lamp_bottom_emissivity
    past_canopy = p.interlamp_fir_transmission * leaves.fir
    lamp_canopy = lamp_strength * p.canopy_emissivity * cover_of_leaves * (lamp - canopy)
    lamp_pipe = lamp_strength * p.pipe_emissivity * design.pipe_shade * past_canopy * (lamp - pipe)
    lamp_floor = lamp_strength * p.floor_emissivity * bare_floor * past_canopy * (lamp - floor)
    grow_pipe_canopy = design.grow_pipe_area * p.grow_pipe_emissivity * p.canopy_emissivity * (grow_pipe - canopy)
    interlamp_lamp = interlamp_strength * lamp_strength * leaves.interlamp_fir_above * (interlamp - lamp)
    caught = 2.0 - leaves.interlamp_fir_above - leaves.interlamp_fir_below  # 7.29, 7.30
    interlamp_canopy = interlamp_strength * p.canopy_emissivity * caught * (interlamp - canopy)
    past_below = interlamp_strength * leaves.interlamp_fir_below
    interlamp_pipe = past_below * p.pipe_emissivity * design.pipe_shade * (interlamp - pipe)
    interlamp_floor = past_below * p.floor_emissivity * bare_floor * (interlamp - floor)

    def sent_by(strength: Value, own: Value) -> Value:
        return strength * (seen_emission - visible * own)

    def received_by(view: Value, own: Value) -> Value:
        return view * (sent_emission - sent * own)

    return Longwave(
        canopy=sent_by(from_canopy, canopy)
        - canopy_floor + pipe_canopy + lamp_canopy + grow_pipe_canopy + interlamp_canopy,
        inner_cover=received_by(views.cover, inner_cover) + blackout_cover + thermal_cover,
        outer_cover=-cover_sky,
        thermal_screen=received_by(views.thermal_screen, thermal) + blackout_thermal - thermal_cover - thermal_sky,
        blackout_screen=received_by(views.blackout_screen, blackout)
        - blackout_cover - blackout_sky - blackout_thermal,
        floor=sent_by(from_floor, floor) + canopy_floor + pipe_floor + lamp_floor + interlamp_floor,
        pipe=sent_by(from_pipe, pipe) - pipe_floor - pipe_canopy - pipe_sky_excess + lamp_pipe + interlamp_pipe,
        grow_pipe=-grow_pipe_canopy,
        lamp=sent_by(from_lamp, lamp) - lamp_canopy - lamp_pipe - lamp_floor + interlamp_lamp,
        interlamp=sent_by(from_interlamp, interlamp)
        - interlamp_lamp - interlamp_canopy - interlamp_pipe - interlamp_floor,
        sky=received_by(views.sky, sky) + blackout_sky + thermal_sky + cover_sky + pipe_sky_excess,
    )  # fmt: skip
