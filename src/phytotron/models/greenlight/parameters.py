"""Primary parameters of the greenhouse and its tomato crop.

The defaults are the modern 4 ha LED greenhouse of Katzin et al. 2021. Everything that follows from these numbers
(capacities, areas, conductances, view factors) is computed in `design`, so that changing a primary parameter changes
what depends on it. `parameter_sets` holds the named greenhouses.

References
----------
[V]   Vanthoor 2011, A model-based greenhouse design method, PhD thesis, Wageningen University; chapters 8 and 9.
[K20] Katzin et al. 2020, Biosystems Engineering 194, 61-81.
[K21] Katzin 2021, PhD thesis, Wageningen University, chapters 4 and 7; Katzin et al. 2021, Applied Energy 281.
"""

from __future__ import annotations

import math

from jax.typing import ArrayLike

from phytotron.core.fields import quantity, record

TINY = 1e-9  # the lower end of a range for what must be positive
FRACTION = {"unit": "-", "low": 0.0, "high": 1.0}
POSITIVE = {"low": TINY}


@record
class Parameters:
    """One greenhouse: construction, cover, screens, floor and soil, heating, lamps, ventilation, crop."""

    # Physical constants [V, table 8.1]
    latent_heat: ArrayLike = quantity("L", "J kg-1", "latent heat of evaporation", default=2.45e6, **POSITIVE)
    stefan_boltzmann: ArrayLike = quantity("sigma", "W m-2 K-4", "Stefan-Boltzmann constant", default=5.67e-8, **POSITIVE)
    gravity: ArrayLike = quantity("g", "m s-2", "acceleration of gravity", default=9.81, **POSITIVE)
    gas_constant: ArrayLike = quantity("R", "J kmol-1 K-1", "molar gas constant", default=8314.0, **POSITIVE)
    air_molar_mass: ArrayLike = quantity("mAir", "kg kmol-1", "molar mass of air", default=28.96, **POSITIVE)
    water_molar_mass: ArrayLike = quantity("mWater", "kg kmol-1", "molar mass of water", default=18.0, **POSITIVE)
    sea_level_air_density: ArrayLike = quantity("rhoAir0", "kg m-3", "density of air at sea level", default=1.2, **POSITIVE)
    air_heat_capacity: ArrayLike = quantity("cPAir", "J K-1 kg-1", "specific heat capacity of air", default=1000.0, **POSITIVE)
    steel_density: ArrayLike = quantity("rhoSteel", "kg m-3", "density of steel", default=7850.0, **POSITIVE)
    steel_heat_capacity: ArrayLike = quantity("cPSteel", "J K-1 kg-1", "specific heat capacity of steel", default=640.0, **POSITIVE)
    water_density: ArrayLike = quantity("rhoWater", "kg m-3", "density of water", default=1000.0, **POSITIVE)
    water_heat_capacity: ArrayLike = quantity("cPWater", "J K-1 kg-1", "specific heat capacity of water", default=4180.0, **POSITIVE)
    psychrometric_constant: ArrayLike = quantity("gammaPsych", "Pa K-1", "psychrometric constant", default=65.8, **POSITIVE)
    co2_ppm_per_mg: ArrayLike = quantity("etaMgPpm", "ppm mg-1 m3", "CO2 mole fraction per concentration", default=0.554, **POSITIVE)
    sky_emissivity: ArrayLike = quantity("epsSky", description="FIR emissivity of the sky", default=1.0, **FRACTION)
    sun_nir_fraction: ArrayLike = quantity("etaGlobNir", description="NIR in global radiation", default=0.5, **FRACTION)
    sun_par_fraction: ArrayLike = quantity("etaGlobPar", description="PAR in global radiation", default=0.5, **FRACTION)
    sun_photons_per_joule: ArrayLike = quantity("parJtoUmolSun", "µmol J-1", "photons per PAR energy of the sun", default=4.6, **POSITIVE)
    convective_exponent: ArrayLike = quantity("pConv", "-", "exponent of |dT| in turbulent free convection", default=0.33, low=0.1, high=0.9)

    # Construction [K21, table 4.2]
    floor_area: ArrayLike = quantity("aFlr", "m2", "floor area", default=4e4, **POSITIVE)
    cover_area: ArrayLike = quantity("aCov", "m2", "area of cover and side walls", default=4.84e4, **POSITIVE)
    roof_slope: ArrayLike = quantity("psi", "°", "mean slope of the roof", default=22.0, low=0.0, high=89.0)
    air_height: ArrayLike = quantity("hAir", "m", "height of the main air", default=6.3, **POSITIVE)
    greenhouse_height: ArrayLike = quantity("hGh", "m", "mean height of the greenhouse", default=6.9, **POSITIVE)
    elevation: ArrayLike = quantity("hElevation", "m", "height above sea level", default=0.0, low=-500.0, high=6000.0)
    sun_absorbed_by_construction: ArrayLike = quantity("etaGlobAir", description="sun absorbed by the construction", default=0.1, **FRACTION)
    inner_convection: ArrayLike = quantity("cHecIn", "W m-2 K-1", "convection between top air and cover", default=1.86, **POSITIVE)
    outer_convection: ArrayLike = quantity("cHecOut1", "W m-2 K-1", "convection of the cover in calm air", default=2.8, **POSITIVE)
    outer_convection_wind: ArrayLike = quantity("cHecOut2", "J m-3 K-1", "its increase with wind", default=1.2, low=0.0)
    outer_convection_exponent: ArrayLike = quantity("cHecOut3", "-", "exponent of the wind in it", default=1.0, low=0.0, high=3.0)

    # Roof [V, table 8.2]
    roof_thickness: ArrayLike = quantity("hRf", "m", "thickness of the roof", default=0.004, **POSITIVE)
    roof_density: ArrayLike = quantity("rhoRf", "kg m-3", "density of the roof", default=2600.0, **POSITIVE)
    roof_heat_capacity: ArrayLike = quantity("cPRf", "J K-1 kg-1", "specific heat capacity of the roof", default=840.0, **POSITIVE)
    roof_conductivity: ArrayLike = quantity("lambdaRf", "W m-1 K-1", "heat conductivity of the roof", default=1.05, **POSITIVE)
    roof_par_transmission: ArrayLike = quantity("tauRfPar", description="PAR transmission of the roof", default=0.85, **FRACTION)
    roof_nir_transmission: ArrayLike = quantity("tauRfNir", description="NIR transmission of the roof", default=0.85, **FRACTION)
    roof_fir_transmission: ArrayLike = quantity("tauRfFir", description="FIR transmission of the roof", default=0.0, **FRACTION)
    roof_par_reflection: ArrayLike = quantity("rhoRfPar", description="PAR reflection of the roof", default=0.13, **FRACTION)
    roof_nir_reflection: ArrayLike = quantity("rhoRfNir", description="NIR reflection of the roof", default=0.13, **FRACTION)
    roof_fir_reflection: ArrayLike = quantity("rhoRfFir", description="FIR reflection of the roof", default=0.15, **FRACTION)

    # Thermal screen [V, table 8.2]
    thermal_screen_thickness: ArrayLike = quantity("hThScr", "m", "thickness of the thermal screen", default=0.35e-3, **POSITIVE)
    thermal_screen_density: ArrayLike = quantity("rhoThScr", "kg m-3", "density of the thermal screen", default=200.0, **POSITIVE)
    thermal_screen_heat_capacity: ArrayLike = quantity("cPThScr", "J K-1 kg-1", "specific heat capacity of the thermal screen", default=1800.0, **POSITIVE)
    thermal_screen_fir_emissivity: ArrayLike = quantity("epsThScrFir", description="FIR emissivity of the thermal screen", default=0.67, **FRACTION)
    thermal_screen_par_transmission: ArrayLike = quantity("tauThScrPar", description="PAR transmission of the thermal screen", default=0.6, **FRACTION)
    thermal_screen_nir_transmission: ArrayLike = quantity("tauThScrNir", description="NIR transmission of the thermal screen", default=0.6, **FRACTION)
    thermal_screen_fir_transmission: ArrayLike = quantity("tauThScrFir", description="FIR transmission of the thermal screen", default=0.15, **FRACTION)
    thermal_screen_par_reflection: ArrayLike = quantity("rhoThScrPar", description="PAR reflection of the thermal screen", default=0.35, **FRACTION)
    thermal_screen_nir_reflection: ArrayLike = quantity("rhoThScrNir", description="NIR reflection of the thermal screen", default=0.35, **FRACTION)
    thermal_screen_flux: ArrayLike = quantity("kThScr", "m3 m-2 K-2/3 s-1", "air flux through the thermal screen", default=5e-5, low=0.0)

    # Blackout screen [K21, table 7.6]
    blackout_screen_thickness: ArrayLike = quantity("hBlScr", "m", "thickness of the blackout screen", default=0.35e-3, **POSITIVE)
    blackout_screen_density: ArrayLike = quantity("rhoBlScr", "kg m-3", "density of the blackout screen", default=200.0, **POSITIVE)
    blackout_screen_heat_capacity: ArrayLike = quantity("cPBlScr", "J K-1 kg-1", "specific heat capacity of the blackout screen", default=1800.0, **POSITIVE)
    blackout_screen_fir_emissivity: ArrayLike = quantity("epsBlScrFir", description="FIR emissivity of the blackout screen", default=0.67, **FRACTION)
    blackout_screen_par_transmission: ArrayLike = quantity("tauBlScrPar", description="PAR transmission of the blackout screen", default=0.01, **FRACTION)
    blackout_screen_nir_transmission: ArrayLike = quantity("tauBlScrNir", description="NIR transmission of the blackout screen", default=0.01, **FRACTION)
    blackout_screen_fir_transmission: ArrayLike = quantity("tauBlScrFir", description="FIR transmission of the blackout screen", default=0.7, **FRACTION)
    blackout_screen_par_reflection: ArrayLike = quantity("rhoBlScrPar", description="PAR reflection of the blackout screen", default=0.35, **FRACTION)
    blackout_screen_nir_reflection: ArrayLike = quantity("rhoBlScrNir", description="NIR reflection of the blackout screen", default=0.35, **FRACTION)
    blackout_screen_flux: ArrayLike = quantity("kBlScr", "m3 m-2 K-2/3 s-1", "air flux through the blackout screen", default=5e-5, low=0.0)

    # Floor and soil [V, tables 8.1 and 8.2]
    floor_thickness: ArrayLike = quantity("hFlr", "m", "thickness of the floor", default=0.02, **POSITIVE)
    floor_density: ArrayLike = quantity("rhoFlr", "kg m-3", "density of the floor", default=2300.0, **POSITIVE)
    floor_heat_capacity: ArrayLike = quantity("cPFlr", "J K-1 kg-1", "specific heat capacity of the floor", default=880.0, **POSITIVE)
    floor_conductivity: ArrayLike = quantity("lambdaFlr", "W m-1 K-1", "heat conductivity of the floor", default=1.7, **POSITIVE)
    floor_emissivity: ArrayLike = quantity("epsFlr", description="FIR emissivity of the floor", default=1.0, **FRACTION)
    floor_par_reflection: ArrayLike = quantity("rhoFlrPar", description="PAR reflection of the floor", default=0.65, **FRACTION)
    floor_nir_reflection: ArrayLike = quantity("rhoFlrNir", description="NIR reflection of the floor", default=0.5, **FRACTION)
    soil_heat_capacity: ArrayLike = quantity("rhoCpSo", "J m-3 K-1", "volumetric heat capacity of the soil", default=1.73e6, **POSITIVE)
    soil_conductivity: ArrayLike = quantity("lambdaSo", "W m-1 K-1", "heat conductivity of the soil", default=0.85, **POSITIVE)
    soil1_thickness: ArrayLike = quantity("hSo1", "m", "thickness of soil layer 1", default=0.04, **POSITIVE)
    soil2_thickness: ArrayLike = quantity("hSo2", "m", "thickness of soil layer 2", default=0.08, **POSITIVE)
    soil3_thickness: ArrayLike = quantity("hSo3", "m", "thickness of soil layer 3", default=0.16, **POSITIVE)
    soil4_thickness: ArrayLike = quantity("hSo4", "m", "thickness of soil layer 4", default=0.32, **POSITIVE)
    soil5_thickness: ArrayLike = quantity("hSo5", "m", "thickness of soil layer 5", default=0.64, **POSITIVE)
    deep_soil_thickness: ArrayLike = quantity("hSoOut", "m", "thickness of the deep soil", default=1.28, **POSITIVE)

    # Heating and CO2 supply [K21, table 4.2]
    boiler_power: ArrayLike = quantity("pBoil", "W", "power of the boiler for the pipe rail", default=1.2e7, low=0.0)
    pipe_length: ArrayLike = quantity("lPipe", "m m-2", "length of the pipe rail per floor area", default=1.25, low=0.0)
    pipe_outer_diameter: ArrayLike = quantity("phiPipeE", "m", "outer diameter of the pipes", default=0.051, **POSITIVE)
    pipe_inner_diameter: ArrayLike = quantity("phiPipeI", "m", "inner diameter of the pipes", default=0.047, **POSITIVE)
    pipe_emissivity: ArrayLike = quantity("epsPipe", description="FIR emissivity of the pipes", default=0.88, **FRACTION)
    grow_pipe_boiler_power: ArrayLike = quantity("pBoilGro", "W", "power of the boiler for the grow pipes", default=0.0, low=0.0)
    grow_pipe_length: ArrayLike = quantity("lGroPipe", "m m-2", "length of the grow pipes per floor area", default=1.655, low=0.0)
    grow_pipe_outer_diameter: ArrayLike = quantity("phiGroPipeE", "m", "outer diameter of the grow pipes", default=0.035, **POSITIVE)
    grow_pipe_inner_diameter: ArrayLike = quantity("phiGroPipeI", "m", "inner diameter of the grow pipes", default=0.0338, **POSITIVE)
    grow_pipe_emissivity: ArrayLike = quantity("epsGroPipe", description="FIR emissivity of the grow pipes", default=0.0, **FRACTION)
    co2_supply: ArrayLike = quantity("phiExtCo2", "mg s-1", "capacity of the CO2 injection", default=2.056e5, low=0.0)

    # Ventilation [V, table 8.2; K21, table 4.2]
    roof_vent_area: ArrayLike = quantity("aRoof", "m2", "largest area of the roof vents", default=4676.0, low=0.0)
    roof_vent_height: ArrayLike = quantity("hVent", "m", "vertical dimension of a vent", default=1.3, low=0.0)
    vent_discharge: ArrayLike = quantity("cDgh", "-", "discharge coefficient of the vents", default=0.75, low=0.0)
    vent_wind_pressure: ArrayLike = quantity("cWgh", "-", "wind pressure coefficient of the vents", default=0.09, low=0.0)
    insect_screen_porosity: ArrayLike = quantity("zetaInsScr", description="porosity of the insect screens", default=1.0, **FRACTION)
    leakage: ArrayLike = quantity("cLeakage", "-", "leakage coefficient", default=1e-4, low=0.0)
    leakage_minimum_wind: ArrayLike = quantity("minWind", "m s-1", "wind below which leakage stays constant", default=0.25, low=0.0)
    leakage_top_fraction: ArrayLike = quantity("cLeakTop", description="share of the leakage above the screens", default=0.5, **FRACTION)

    # Top lamps [K21, tables 4.3 and 7.6]
    lamp_power: ArrayLike = quantity("thetaLampMax", "W m-2", "electrical power of the lamps", default=200.0 / 3.0, low=0.0)
    lamp_area: ArrayLike = quantity("aLamp", "m2 m-2", "lamp area per floor area", default=0.02, low=0.0, high=1.0)
    lamp_par_efficiency: ArrayLike = quantity("etaLampPar", description="power that becomes PAR", default=0.55, **FRACTION)
    lamp_nir_efficiency: ArrayLike = quantity("etaLampNir", description="power that becomes NIR", default=0.02, **FRACTION)
    lamp_cooling_fraction: ArrayLike = quantity("etaLampCool", description="power removed by active cooling", default=0.0, **FRACTION)
    lamp_photons_per_joule: ArrayLike = quantity("zetaLampPar", "µmol J-1", "photons per PAR energy of the lamps", default=5.4, low=0.0)
    lamp_par_reflection: ArrayLike = quantity("rhoLampPar", description="PAR reflection of the lamps", default=0.0, **FRACTION)
    lamp_nir_reflection: ArrayLike = quantity("rhoLampNir", description="NIR reflection of the lamps", default=0.0, **FRACTION)
    lamp_top_emissivity: ArrayLike = quantity("epsLampTop", description="FIR emissivity of the lamps, upwards", default=0.88, **FRACTION)
    lamp_bottom_emissivity: ArrayLike = quantity("epsLampBottom", description="FIR emissivity of the lamps, downwards", default=0.88, **FRACTION)
    lamp_capacity: ArrayLike = quantity("capLamp", "J K-1 m-2", "heat capacity of the lamps", default=10.0, **POSITIVE)
    lamp_convection: ArrayLike = quantity("cHecLampAir", "W m-2 K-1", "convection between lamps and air", default=2.3, low=0.0)

    # Inter-lamps [K21, table 7.6]
    interlamp_power: ArrayLike = quantity("thetaIntLampMax", "W m-2", "electrical power of the inter-lamps", default=0.0, low=0.0)
    interlamp_area: ArrayLike = quantity("aIntLamp", "m2 m-2", "inter-lamp area per floor area", default=0.0, low=0.0, high=1.0)
    interlamp_par_efficiency: ArrayLike = quantity("etaIntLampPar", description="power that becomes PAR", default=0.55, **FRACTION)
    interlamp_nir_efficiency: ArrayLike = quantity("etaIntLampNir", description="power that becomes NIR", default=0.02, **FRACTION)
    interlamp_photons_per_joule: ArrayLike = quantity("zetaIntLampPar", "µmol J-1", "photons per PAR energy of the inter-lamps", default=5.41, low=0.0)
    interlamp_emissivity: ArrayLike = quantity("epsIntLamp", description="FIR emissivity of the inter-lamps", default=0.88, **FRACTION)
    interlamp_fir_transmission: ArrayLike = quantity("tauIntLampFir", description="FIR transmission of the inter-lamp layer", default=1.0, **FRACTION)
    interlamp_capacity: ArrayLike = quantity("capIntLamp", "J K-1 m-2", "heat capacity of the inter-lamps", default=10.0, **POSITIVE)
    interlamp_convection: ArrayLike = quantity("cHecIntLampAir", "W m-2 K-1", "convection between inter-lamps and air", default=2.3, low=0.0)
    interlamp_position: ArrayLike = quantity("vIntLampPos", description="height of the inter-lamps in the canopy", default=0.5, **FRACTION)
    interlamp_downward_fraction: ArrayLike = quantity("fIntLampDown", description="inter-light that goes down", default=0.5, **FRACTION)
    interlamp_par_extinction: ArrayLike = quantity("k1IntPar", "-", "extinction of inter-light PAR", default=1.4, low=0.0)
    interlamp_par_extinction_up: ArrayLike = quantity("k2IntPar", "-", "its extinction after reflection by the floor", default=1.4, low=0.0)
    interlamp_nir_extinction: ArrayLike = quantity("kIntNir", "-", "extinction of inter-light NIR", default=0.54, low=0.0)
    interlamp_fir_extinction: ArrayLike = quantity("kIntFir", "-", "extinction of inter-lamp FIR", default=1.88, low=0.0)

    # Canopy climate [V, table 8.1]
    canopy_emissivity: ArrayLike = quantity("epsCan", description="FIR emissivity of the canopy", default=1.0, **FRACTION)
    canopy_par_reflection: ArrayLike = quantity("rhoCanPar", description="PAR reflection of the canopy", default=0.07, **FRACTION)
    canopy_nir_reflection: ArrayLike = quantity("rhoCanNir", description="NIR reflection of a dense canopy", default=0.35, **FRACTION)
    canopy_par_extinction: ArrayLike = quantity("k1Par", "-", "PAR extinction of the canopy", default=0.7, low=0.0)
    canopy_par_extinction_up: ArrayLike = quantity("k2Par", "-", "PAR extinction after reflection by the floor", default=0.7, low=0.0)
    canopy_nir_extinction: ArrayLike = quantity("kNir", "-", "NIR extinction of the canopy", default=0.27, low=0.0)
    canopy_fir_extinction: ArrayLike = quantity("kFir", "-", "FIR extinction of the canopy", default=0.94, low=0.0)
    leaf_capacity: ArrayLike = quantity("capLeaf", "J K-1 m-2", "heat capacity of a leaf", default=1200.0, **POSITIVE)
    leaf_convection: ArrayLike = quantity("alfaLeafAir", "W m-2 K-1", "convection between leaf and air", default=5.0, low=0.0)
    boundary_layer_resistance: ArrayLike = quantity("rB", "s m-1", "boundary layer resistance of the canopy", default=275.0, **POSITIVE)
    stomatal_resistance_minimum: ArrayLike = quantity("rSMin", "s m-1", "least stomatal resistance", default=82.0, **POSITIVE)
    stomatal_radiation1: ArrayLike = quantity("cEvap1", "W m-2", "radiation effect on the stomata", default=4.3, low=0.0)
    stomatal_radiation2: ArrayLike = quantity("cEvap2", "W m-2", "radiation effect on the stomata", default=0.54, **POSITIVE)
    stomatal_co2_day: ArrayLike = quantity("cEvap3Day", "ppm-2", "CO2 effect on the stomata, day", default=6.1e-7, low=0.0)
    stomatal_co2_night: ArrayLike = quantity("cEvap3Night", "ppm-2", "CO2 effect on the stomata, night", default=1.1e-11, low=0.0)
    stomatal_vapour_day: ArrayLike = quantity("cEvap4Day", "Pa-2", "vapour pressure effect on the stomata, day", default=4.3e-6, low=0.0)
    stomatal_vapour_night: ArrayLike = quantity("cEvap4Night", "Pa-2", "vapour pressure effect on the stomata, night", default=5.2e-6, low=0.0)
    stomatal_switch_slope: ArrayLike = quantity("sRsSlope", "m2 W-1", "slope of the day-night switch of the stomata", default=-1.0, low=-100.0, high=100.0)
    stomatal_switch_radiation: ArrayLike = quantity("rCanSp", "W m-2", "radiation of the day-night switch", default=5.0, low=0.0)

    # Crop [V, tables 9.1 and 9.2; K21, section 7.4.9]
    specific_leaf_area: ArrayLike = quantity("sla", "m2 mg-1", "leaf area per leaf carbohydrate", default=2.66e-5, **POSITIVE)
    leaf_area_maximum: ArrayLike = quantity("laiMax", "m2 m-2", "leaf area index kept by pruning", default=3.0, **POSITIVE)
    electron_yield: ArrayLike = quantity("alpha", "µmol µmol-1", "electrons per photon", default=0.385, low=0.0)
    electron_curvature: ArrayLike = quantity("theta", "-", "curvature of the electron transport rate", default=0.7, low=TINY, high=1.0)
    electron_transport_25: ArrayLike = quantity("j25LeafMax", "µmol m-2 s-1", "largest electron transport rate of a leaf at 25 °C", default=210.0, **POSITIVE)
    electron_activation_energy: ArrayLike = quantity("eJ", "J mol-1", "activation energy of electron transport", default=37e3, low=0.0)
    electron_deactivation_energy: ArrayLike = quantity("H", "J mol-1", "deactivation energy of electron transport", default=22e4, low=0.0)
    electron_entropy: ArrayLike = quantity("S", "J mol-1 K-1", "entropy term of electron transport", default=710.0, low=0.0)
    reference_temperature: ArrayLike = quantity("t25k", "K", "reference temperature of photosynthesis", default=298.15, **POSITIVE)
    stomatal_co2_ratio: ArrayLike = quantity("etaCo2AirStom", "-", "CO2 in the stomata per CO2 in the air", default=0.67, low=0.0)
    compensation_slope: ArrayLike = quantity("cGamma", "ppm K-1", "temperature effect on the CO2 compensation point", default=1.7, low=0.0)
    carbohydrate_molar_mass: ArrayLike = quantity("mCh2o", "mg µmol-1", "molar mass of carbohydrate", default=0.03, **POSITIVE)
    co2_molar_mass: ArrayLike = quantity("mCo2", "mg µmol-1", "molar mass of CO2", default=0.044, **POSITIVE)
    buffer_maximum: ArrayLike = quantity("cBufMax", "mg m-2", "capacity of the carbohydrate buffer", default=2e4, low=0.0)
    buffer_minimum: ArrayLike = quantity("cBufMin", "mg m-2", "buffer below which growth stops", default=1e3, low=0.0)
    fruit_growth: ArrayLike = quantity("rgFruit", "mg m-2 s-1", "potential fruit growth at 20 °C", default=0.328, low=0.0)
    leaf_growth: ArrayLike = quantity("rgLeaf", "mg m-2 s-1", "potential leaf growth at 20 °C", default=0.095, low=0.0)
    stem_growth: ArrayLike = quantity("rgStem", "mg m-2 s-1", "potential stem and root growth at 20 °C", default=0.074, low=0.0)
    fruit_growth_respiration: ArrayLike = quantity("cFruitG", "-", "growth respiration of the fruit", default=0.27, low=0.0)
    leaf_growth_respiration: ArrayLike = quantity("cLeafG", "-", "growth respiration of the leaves", default=0.28, low=0.0)
    stem_growth_respiration: ArrayLike = quantity("cStemG", "-", "growth respiration of stem and roots", default=0.3, low=0.0)
    fruit_maintenance: ArrayLike = quantity("cFruitM", "s-1", "maintenance respiration of the fruit", default=1.16e-7, low=0.0)
    leaf_maintenance: ArrayLike = quantity("cLeafM", "s-1", "maintenance respiration of the leaves", default=3.47e-7, low=0.0)
    stem_maintenance: ArrayLike = quantity("cStemM", "s-1", "maintenance respiration of stem and roots", default=1.47e-7, low=0.0)
    maintenance_growth_effect: ArrayLike = quantity("cRgr", "s", "effect of growth on maintenance respiration", default=2.85e6, low=0.0)
    relative_growth_rate: ArrayLike = quantity("rgr", "s-1", "relative growth rate in maintenance respiration", default=3e-6, low=0.0)
    maintenance_q10: ArrayLike = quantity("q10m", "-", "Q10 of maintenance respiration", default=2.0, **POSITIVE)
    canopy_temperature_minimum: ArrayLike = quantity("tCanMin", "°C", "lower limit of canopy temperature for fruit growth", default=10.0, low=-50.0)
    canopy_temperature_maximum: ArrayLike = quantity("tCanMax", "°C", "upper limit of canopy temperature for fruit growth", default=34.0, low=-50.0)
    daily_temperature_minimum: ArrayLike = quantity("tCan24Min", "°C", "lower limit of the daily canopy temperature", default=15.0, low=-50.0)
    daily_temperature_maximum: ArrayLike = quantity("tCan24Max", "°C", "upper limit of the daily canopy temperature", default=24.5, low=-50.0)
    generative_temperature_sum: ArrayLike = quantity("tEndSum", "°C day", "temperature sum of full fruit growth", default=1035.0, **POSITIVE)
    fruit_maximum: ArrayLike = quantity("cFruitMax", "mg m-2", "fruit carbohydrate above which fruit is harvested", default=3e5, **POSITIVE)
    harvest_slope: ArrayLike = quantity("cHarSlope", "m2 mg-1", "steepness of the switch of pruning and harvest", default=2.0 * math.log(100.0) / 1e4, **POSITIVE)
    leaf_pruning_rate: ArrayLike = quantity("cLeafHarMax", "mg m-2 s-1", "largest rate of leaf pruning", default=1e5, low=0.0)
    fruit_harvest_rate: ArrayLike = quantity("cFruitHarMax", "mg m-2 s-1", "largest rate of fruit harvest", default=5e4, low=0.0)
    fruit_dry_matter: ArrayLike = quantity("dmfm", "kg kg-1", "dry matter per fresh matter of the fruit", default=0.0627, low=TINY, high=1.0)
    gas_energy: ArrayLike = quantity("energyContentGas", "MJ m-3", "heat of combustion of natural gas", default=31.65, **POSITIVE)
