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

import math

from phytotron.core.fields import Value, fraction, quantity, record

TINY = 1e-9  # the lower end of a range for what must be positive


@record
class Parameters:
    """One greenhouse: construction, cover, screens, floor and soil, heating, lamps, ventilation, crop."""

    # Physical constants [V, table 8.1]
    latent_heat: Value = quantity("L", "J kg-1", "latent heat of evaporation", default=2.45e6, low=TINY)
    stefan_boltzmann: Value = quantity("sigma", "W m-2 K-4", "Stefan-Boltzmann constant", default=5.67e-8, low=TINY)
    gravity: Value = quantity("g", "m s-2", "acceleration of gravity", default=9.81, low=TINY)
    gas_constant: Value = quantity("R", "J kmol-1 K-1", "molar gas constant", default=8314.0, low=TINY)
    air_molar_mass: Value = quantity("mAir", "kg kmol-1", "molar mass of air", default=28.96, low=TINY)
    water_molar_mass: Value = quantity("mWater", "kg kmol-1", "molar mass of water", default=18.0, low=TINY)
    sea_level_air_density: Value = quantity("rhoAir0", "kg m-3", "density of air at sea level", default=1.2, low=TINY)
    air_heat_capacity: Value = quantity("cPAir", "J K-1 kg-1", "specific heat capacity of air", default=1000.0, low=TINY)
    steel_density: Value = quantity("rhoSteel", "kg m-3", "density of steel", default=7850.0, low=TINY)
    steel_heat_capacity: Value = quantity("cPSteel", "J K-1 kg-1", "specific heat capacity of steel", default=640.0, low=TINY)
    water_density: Value = quantity("rhoWater", "kg m-3", "density of water", default=1000.0, low=TINY)
    water_heat_capacity: Value = quantity("cPWater", "J K-1 kg-1", "specific heat capacity of water", default=4180.0, low=TINY)
    psychrometric_constant: Value = quantity("gammaPsych", "Pa K-1", "psychrometric constant", default=65.8, low=TINY)
    co2_ppm_per_mg: Value = quantity("etaMgPpm", "ppm mg-1 m3", "CO2 mole fraction per concentration", default=0.554, low=TINY)
    sky_emissivity: Value = fraction("epsSky", "FIR emissivity of the sky", default=1.0)
    sun_nir_fraction: Value = fraction("etaGlobNir", "NIR in global radiation", default=0.5)
    sun_par_fraction: Value = fraction("etaGlobPar", "PAR in global radiation", default=0.5)
    sun_photons_per_joule: Value = quantity("parJtoUmolSun", "µmol J-1", "photons per PAR energy of the sun", default=4.6, low=TINY)
    convective_exponent: Value = quantity("pConv", "-", "exponent of |dT| in turbulent free convection", default=0.33, low=0.1, high=0.9)

    # Construction [K21, table 4.2]
    floor_area: Value = quantity("aFlr", "m2", "floor area", default=4e4, low=TINY)
    cover_area: Value = quantity("aCov", "m2", "area of cover and side walls", default=4.84e4, low=TINY)
    roof_slope: Value = quantity("psi", "°", "mean slope of the roof", default=22.0, low=0.0, high=89.0)
    air_height: Value = quantity("hAir", "m", "height of the main air", default=6.3, low=TINY)
    greenhouse_height: Value = quantity("hGh", "m", "mean height of the greenhouse", default=6.9, low=TINY)
    elevation: Value = quantity("hElevation", "m", "height above sea level", default=0.0, low=-500.0, high=6000.0)
    sun_absorbed_by_construction: Value = fraction("etaGlobAir", "sun absorbed by the construction", default=0.1)
    inner_convection: Value = quantity("cHecIn", "W m-2 K-1", "convection between top air and cover", default=1.86, low=TINY)
    outer_convection: Value = quantity("cHecOut1", "W m-2 K-1", "convection of the cover in calm air", default=2.8, low=TINY)
    outer_convection_wind: Value = quantity("cHecOut2", "J m-3 K-1", "its increase with wind", default=1.2, low=0.0)
    outer_convection_exponent: Value = quantity("cHecOut3", "-", "exponent of the wind in it", default=1.0, low=0.0, high=3.0)

    # Roof [V, table 8.2]
    roof_thickness: Value = quantity("hRf", "m", "thickness of the roof", default=0.004, low=TINY)
    roof_density: Value = quantity("rhoRf", "kg m-3", "density of the roof", default=2600.0, low=TINY)
    roof_heat_capacity: Value = quantity("cPRf", "J K-1 kg-1", "specific heat capacity of the roof", default=840.0, low=TINY)
    roof_conductivity: Value = quantity("lambdaRf", "W m-1 K-1", "heat conductivity of the roof", default=1.05, low=TINY)
    roof_par_transmission: Value = fraction("tauRfPar", "PAR transmission of the roof", default=0.85)
    roof_nir_transmission: Value = fraction("tauRfNir", "NIR transmission of the roof", default=0.85)
    roof_fir_transmission: Value = fraction("tauRfFir", "FIR transmission of the roof", default=0.0)
    roof_par_reflection: Value = fraction("rhoRfPar", "PAR reflection of the roof", default=0.13)
    roof_nir_reflection: Value = fraction("rhoRfNir", "NIR reflection of the roof", default=0.13)
    roof_fir_reflection: Value = fraction("rhoRfFir", "FIR reflection of the roof", default=0.15)

    # Thermal screen [V, table 8.2]
    thermal_screen_thickness: Value = quantity("hThScr", "m", "thickness of the thermal screen", default=0.35e-3, low=TINY)
    thermal_screen_density: Value = quantity("rhoThScr", "kg m-3", "density of the thermal screen", default=200.0, low=TINY)
    thermal_screen_heat_capacity: Value = quantity("cPThScr", "J K-1 kg-1", "specific heat capacity of the thermal screen", default=1800.0, low=TINY)
    thermal_screen_fir_emissivity: Value = fraction("epsThScrFir", "FIR emissivity of the thermal screen", default=0.67)
    thermal_screen_par_transmission: Value = fraction("tauThScrPar", "PAR transmission of the thermal screen", default=0.6)
    thermal_screen_nir_transmission: Value = fraction("tauThScrNir", "NIR transmission of the thermal screen", default=0.6)
    thermal_screen_fir_transmission: Value = fraction("tauThScrFir", "FIR transmission of the thermal screen", default=0.15)
    thermal_screen_par_reflection: Value = fraction("rhoThScrPar", "PAR reflection of the thermal screen", default=0.35)
    thermal_screen_nir_reflection: Value = fraction("rhoThScrNir", "NIR reflection of the thermal screen", default=0.35)
    thermal_screen_flux: Value = quantity("kThScr", "m3 m-2 K-2/3 s-1", "air flux through the thermal screen", default=5e-5, low=0.0)

    # Blackout screen [K21, table 7.6]
    blackout_screen_thickness: Value = quantity("hBlScr", "m", "thickness of the blackout screen", default=0.35e-3, low=TINY)
    blackout_screen_density: Value = quantity("rhoBlScr", "kg m-3", "density of the blackout screen", default=200.0, low=TINY)
    blackout_screen_heat_capacity: Value = quantity("cPBlScr", "J K-1 kg-1", "specific heat capacity of the blackout screen", default=1800.0, low=TINY)
    blackout_screen_fir_emissivity: Value = fraction("epsBlScrFir", "FIR emissivity of the blackout screen", default=0.67)
    blackout_screen_par_transmission: Value = fraction("tauBlScrPar", "PAR transmission of the blackout screen", default=0.01)
    blackout_screen_nir_transmission: Value = fraction("tauBlScrNir", "NIR transmission of the blackout screen", default=0.01)
    blackout_screen_fir_transmission: Value = fraction("tauBlScrFir", "FIR transmission of the blackout screen", default=0.7)
    blackout_screen_par_reflection: Value = fraction("rhoBlScrPar", "PAR reflection of the blackout screen", default=0.35)
    blackout_screen_nir_reflection: Value = fraction("rhoBlScrNir", "NIR reflection of the blackout screen", default=0.35)
    blackout_screen_flux: Value = quantity("kBlScr", "m3 m-2 K-2/3 s-1", "air flux through the blackout screen", default=5e-5, low=0.0)

    # Floor and soil [V, tables 8.1 and 8.2]
    floor_thickness: Value = quantity("hFlr", "m", "thickness of the floor", default=0.02, low=TINY)
    floor_density: Value = quantity("rhoFlr", "kg m-3", "density of the floor", default=2300.0, low=TINY)
    floor_heat_capacity: Value = quantity("cPFlr", "J K-1 kg-1", "specific heat capacity of the floor", default=880.0, low=TINY)
    floor_conductivity: Value = quantity("lambdaFlr", "W m-1 K-1", "heat conductivity of the floor", default=1.7, low=TINY)
    floor_emissivity: Value = fraction("epsFlr", "FIR emissivity of the floor", default=1.0)
    floor_par_reflection: Value = fraction("rhoFlrPar", "PAR reflection of the floor", default=0.65)
    floor_nir_reflection: Value = fraction("rhoFlrNir", "NIR reflection of the floor", default=0.5)
    soil_heat_capacity: Value = quantity("rhoCpSo", "J m-3 K-1", "volumetric heat capacity of the soil", default=1.73e6, low=TINY)
    soil_conductivity: Value = quantity("lambdaSo", "W m-1 K-1", "heat conductivity of the soil", default=0.85, low=TINY)
    soil1_thickness: Value = quantity("hSo1", "m", "thickness of soil layer 1", default=0.04, low=TINY)
    soil2_thickness: Value = quantity("hSo2", "m", "thickness of soil layer 2", default=0.08, low=TINY)
    soil3_thickness: Value = quantity("hSo3", "m", "thickness of soil layer 3", default=0.16, low=TINY)
    soil4_thickness: Value = quantity("hSo4", "m", "thickness of soil layer 4", default=0.32, low=TINY)
    soil5_thickness: Value = quantity("hSo5", "m", "thickness of soil layer 5", default=0.64, low=TINY)
    deep_soil_thickness: Value = quantity("hSoOut", "m", "thickness of the deep soil", default=1.28, low=TINY)

    # Heating and CO2 supply [K21, table 4.2]
    boiler_power: Value = quantity("pBoil", "W", "power of the boiler for the pipe rail", default=1.2e7, low=0.0)
    pipe_length: Value = quantity("lPipe", "m m-2", "length of the pipe rail per floor area", default=1.25, low=0.0)
    pipe_outer_diameter: Value = quantity("phiPipeE", "m", "outer diameter of the pipes", default=0.051, low=TINY)
    pipe_inner_diameter: Value = quantity("phiPipeI", "m", "inner diameter of the pipes", default=0.047, low=TINY)
    pipe_emissivity: Value = fraction("epsPipe", "FIR emissivity of the pipes", default=0.88)
    grow_pipe_boiler_power: Value = quantity("pBoilGro", "W", "power of the boiler for the grow pipes", default=0.0, low=0.0)
    grow_pipe_length: Value = quantity("lGroPipe", "m m-2", "length of the grow pipes per floor area", default=1.655, low=0.0)
    grow_pipe_outer_diameter: Value = quantity("phiGroPipeE", "m", "outer diameter of the grow pipes", default=0.035, low=TINY)
    grow_pipe_inner_diameter: Value = quantity("phiGroPipeI", "m", "inner diameter of the grow pipes", default=0.0338, low=TINY)
    grow_pipe_emissivity: Value = fraction("epsGroPipe", "FIR emissivity of the grow pipes", default=0.0)
    co2_supply: Value = quantity("phiExtCo2", "mg s-1", "capacity of the CO2 injection", default=2.056e5, low=0.0)

    # Ventilation [V, table 8.2; K21, table 4.2]
    roof_vent_area: Value = quantity("aRoof", "m2", "largest area of the roof vents", default=4676.0, low=0.0)
    roof_vent_height: Value = quantity("hVent", "m", "vertical dimension of a vent", default=1.3, low=0.0)
    vent_discharge: Value = quantity("cDgh", "-", "discharge coefficient of the vents", default=0.75, low=0.0)
    vent_wind_pressure: Value = quantity("cWgh", "-", "wind pressure coefficient of the vents", default=0.09, low=0.0)
    insect_screen_porosity: Value = fraction("zetaInsScr", "porosity of the insect screens", default=1.0)
    leakage: Value = quantity("cLeakage", "-", "leakage coefficient", default=1e-4, low=0.0)
    leakage_minimum_wind: Value = quantity("minWind", "m s-1", "wind below which leakage stays constant", default=0.25, low=0.0)
    leakage_top_fraction: Value = fraction("cLeakTop", "share of the leakage above the screens", default=0.5)

    # Top lamps [K21, tables 4.3 and 7.6]
    lamp_power: Value = quantity("thetaLampMax", "W m-2", "electrical power of the lamps", default=200.0 / 3.0, low=0.0)
    lamp_area: Value = quantity("aLamp", "m2 m-2", "lamp area per floor area", default=0.02, low=0.0, high=1.0)
    lamp_par_efficiency: Value = fraction("etaLampPar", "power that becomes PAR", default=0.55)
    lamp_nir_efficiency: Value = fraction("etaLampNir", "power that becomes NIR", default=0.02)
    lamp_cooling_fraction: Value = fraction("etaLampCool", "power removed by active cooling", default=0.0)
    lamp_photons_per_joule: Value = quantity("zetaLampPar", "µmol J-1", "photons per PAR energy of the lamps", default=5.4, low=0.0)
    lamp_par_reflection: Value = fraction("rhoLampPar", "PAR reflection of the lamps", default=0.0)
    lamp_nir_reflection: Value = fraction("rhoLampNir", "NIR reflection of the lamps", default=0.0)
    lamp_top_emissivity: Value = fraction("epsLampTop", "FIR emissivity of the lamps, upwards", default=0.88)
    lamp_bottom_emissivity: Value = fraction("epsLampBottom", "FIR emissivity of the lamps, downwards", default=0.88)
    lamp_capacity: Value = quantity("capLamp", "J K-1 m-2", "heat capacity of the lamps", default=10.0, low=TINY)
    lamp_convection: Value = quantity("cHecLampAir", "W m-2 K-1", "convection between lamps and air", default=2.3, low=0.0)

    # Inter-lamps [K21, table 7.6]
    interlamp_power: Value = quantity("thetaIntLampMax", "W m-2", "electrical power of the inter-lamps", default=0.0, low=0.0)
    interlamp_area: Value = quantity("aIntLamp", "m2 m-2", "inter-lamp area per floor area", default=0.0, low=0.0, high=1.0)
    interlamp_par_efficiency: Value = fraction("etaIntLampPar", "power that becomes PAR", default=0.55)
    interlamp_nir_efficiency: Value = fraction("etaIntLampNir", "power that becomes NIR", default=0.02)
    interlamp_photons_per_joule: Value = quantity("zetaIntLampPar", "µmol J-1", "photons per PAR energy of the inter-lamps", default=5.41, low=0.0)
    interlamp_emissivity: Value = fraction("epsIntLamp", "FIR emissivity of the inter-lamps", default=0.88)
    interlamp_fir_transmission: Value = fraction("tauIntLampFir", "FIR transmission of the inter-lamp layer", default=1.0)
    interlamp_capacity: Value = quantity("capIntLamp", "J K-1 m-2", "heat capacity of the inter-lamps", default=10.0, low=TINY)
    interlamp_convection: Value = quantity("cHecIntLampAir", "W m-2 K-1", "convection between inter-lamps and air", default=2.3, low=0.0)
    interlamp_position: Value = fraction("vIntLampPos", "height of the inter-lamps in the canopy", default=0.5)
    interlamp_downward_fraction: Value = fraction("fIntLampDown", "inter-light that goes down", default=0.5)
    interlamp_par_extinction: Value = quantity("k1IntPar", "-", "extinction of inter-light PAR", default=1.4, low=0.0)
    interlamp_par_extinction_up: Value = quantity("k2IntPar", "-", "its extinction after reflection by the floor", default=1.4, low=0.0)
    interlamp_nir_extinction: Value = quantity("kIntNir", "-", "extinction of inter-light NIR", default=0.54, low=0.0)
    interlamp_fir_extinction: Value = quantity("kIntFir", "-", "extinction of inter-lamp FIR", default=1.88, low=0.0)

    # Canopy climate [V, table 8.1]
    canopy_emissivity: Value = fraction("epsCan", "FIR emissivity of the canopy", default=1.0)
    canopy_par_reflection: Value = fraction("rhoCanPar", "PAR reflection of the canopy", default=0.07)
    canopy_nir_reflection: Value = fraction("rhoCanNir", "NIR reflection of a dense canopy", default=0.35)
    canopy_par_extinction: Value = quantity("k1Par", "-", "PAR extinction of the canopy", default=0.7, low=0.0)
    canopy_par_extinction_up: Value = quantity("k2Par", "-", "PAR extinction after reflection by the floor", default=0.7, low=0.0)
    canopy_nir_extinction: Value = quantity("kNir", "-", "NIR extinction of the canopy", default=0.27, low=0.0)
    canopy_fir_extinction: Value = quantity("kFir", "-", "FIR extinction of the canopy", default=0.94, low=0.0)
    leaf_capacity: Value = quantity("capLeaf", "J K-1 m-2", "heat capacity of a leaf", default=1200.0, low=TINY)
    leaf_convection: Value = quantity("alfaLeafAir", "W m-2 K-1", "convection between leaf and air", default=5.0, low=0.0)
    boundary_layer_resistance: Value = quantity("rB", "s m-1", "boundary layer resistance of the canopy", default=275.0, low=TINY)
    stomatal_resistance_minimum: Value = quantity("rSMin", "s m-1", "least stomatal resistance", default=82.0, low=TINY)
    stomatal_radiation1: Value = quantity("cEvap1", "W m-2", "radiation effect on the stomata", default=4.3, low=0.0)
    stomatal_radiation2: Value = quantity("cEvap2", "W m-2", "radiation effect on the stomata", default=0.54, low=TINY)
    stomatal_co2_day: Value = quantity("cEvap3Day", "ppm-2", "CO2 effect on the stomata, day", default=6.1e-7, low=0.0)
    stomatal_co2_night: Value = quantity("cEvap3Night", "ppm-2", "CO2 effect on the stomata, night", default=1.1e-11, low=0.0)
    stomatal_vapour_day: Value = quantity("cEvap4Day", "Pa-2", "vapour pressure effect on the stomata, day", default=4.3e-6, low=0.0)
    stomatal_vapour_night: Value = quantity("cEvap4Night", "Pa-2", "vapour pressure effect on the stomata, night", default=5.2e-6, low=0.0)
    stomatal_switch_slope: Value = quantity("sRsSlope", "m2 W-1", "slope of the day-night switch of the stomata", default=-1.0, low=-100.0, high=100.0)
    stomatal_switch_radiation: Value = quantity("rCanSp", "W m-2", "radiation of the day-night switch", default=5.0, low=0.0)

    # Crop [V, tables 9.1 and 9.2; K21, section 7.4.9]
    specific_leaf_area: Value = quantity("sla", "m2 mg-1", "leaf area per leaf carbohydrate", default=2.66e-5, low=TINY)
    leaf_area_maximum: Value = quantity("laiMax", "m2 m-2", "leaf area index kept by pruning", default=3.0, low=TINY)
    electron_yield: Value = quantity("alpha", "µmol µmol-1", "electrons per photon", default=0.385, low=0.0)
    electron_curvature: Value = quantity("theta", "-", "curvature of the electron transport rate", default=0.7, low=TINY, high=1.0)
    electron_transport_25: Value = quantity("j25LeafMax", "µmol m-2 s-1", "largest electron transport rate of a leaf at 25 °C", default=210.0, low=TINY)
    electron_activation_energy: Value = quantity("eJ", "J mol-1", "activation energy of electron transport", default=37e3, low=0.0)
    electron_deactivation_energy: Value = quantity("H", "J mol-1", "deactivation energy of electron transport", default=22e4, low=0.0)
    electron_entropy: Value = quantity("S", "J mol-1 K-1", "entropy term of electron transport", default=710.0, low=0.0)
    reference_temperature: Value = quantity("t25k", "K", "reference temperature of photosynthesis", default=298.15, low=TINY)
    stomatal_co2_ratio: Value = quantity("etaCo2AirStom", "-", "CO2 in the stomata per CO2 in the air", default=0.67, low=0.0)
    compensation_slope: Value = quantity("cGamma", "ppm K-1", "temperature effect on the CO2 compensation point", default=1.7, low=0.0)
    carbohydrate_molar_mass: Value = quantity("mCh2o", "mg µmol-1", "molar mass of carbohydrate", default=0.03, low=TINY)
    co2_molar_mass: Value = quantity("mCo2", "mg µmol-1", "molar mass of CO2", default=0.044, low=TINY)
    buffer_maximum: Value = quantity("cBufMax", "mg m-2", "capacity of the carbohydrate buffer", default=2e4, low=0.0)
    buffer_minimum: Value = quantity("cBufMin", "mg m-2", "buffer below which growth stops", default=1e3, low=0.0)
    fruit_growth: Value = quantity("rgFruit", "mg m-2 s-1", "potential fruit growth at 20 °C", default=0.328, low=0.0)
    leaf_growth: Value = quantity("rgLeaf", "mg m-2 s-1", "potential leaf growth at 20 °C", default=0.095, low=0.0)
    stem_growth: Value = quantity("rgStem", "mg m-2 s-1", "potential stem and root growth at 20 °C", default=0.074, low=0.0)
    fruit_growth_respiration: Value = quantity("cFruitG", "-", "growth respiration of the fruit", default=0.27, low=0.0)
    leaf_growth_respiration: Value = quantity("cLeafG", "-", "growth respiration of the leaves", default=0.28, low=0.0)
    stem_growth_respiration: Value = quantity("cStemG", "-", "growth respiration of stem and roots", default=0.3, low=0.0)
    fruit_maintenance: Value = quantity("cFruitM", "s-1", "maintenance respiration of the fruit", default=1.16e-7, low=0.0)
    leaf_maintenance: Value = quantity("cLeafM", "s-1", "maintenance respiration of the leaves", default=3.47e-7, low=0.0)
    stem_maintenance: Value = quantity("cStemM", "s-1", "maintenance respiration of stem and roots", default=1.47e-7, low=0.0)
    maintenance_growth_effect: Value = quantity("cRgr", "s", "effect of growth on maintenance respiration", default=2.85e6, low=0.0)
    relative_growth_rate: Value = quantity("rgr", "s-1", "relative growth rate in maintenance respiration", default=3e-6, low=0.0)
    maintenance_q10: Value = quantity("q10m", "-", "Q10 of maintenance respiration", default=2.0, low=TINY)
    canopy_temperature_minimum: Value = quantity("tCanMin", "°C", "lower limit of canopy temperature for fruit growth", default=10.0, low=-50.0)
    canopy_temperature_maximum: Value = quantity("tCanMax", "°C", "upper limit of canopy temperature for fruit growth", default=34.0, low=-50.0)
    daily_temperature_minimum: Value = quantity("tCan24Min", "°C", "lower limit of the daily canopy temperature", default=15.0, low=-50.0)
    daily_temperature_maximum: Value = quantity("tCan24Max", "°C", "upper limit of the daily canopy temperature", default=24.5, low=-50.0)
    generative_temperature_sum: Value = quantity("tEndSum", "°C day", "temperature sum of full fruit growth", default=1035.0, low=TINY)
    fruit_maximum: Value = quantity("cFruitMax", "mg m-2", "fruit carbohydrate above which fruit is harvested", default=3e5, low=TINY)
    harvest_slope: Value = quantity("cHarSlope", "m2 mg-1", "steepness of the switch of pruning and harvest", default=2.0 * math.log(100.0) / 1e4, low=TINY)
    leaf_pruning_rate: Value = quantity("cLeafHarMax", "mg m-2 s-1", "largest rate of leaf pruning", default=1e5, low=0.0)
    fruit_harvest_rate: Value = quantity("cFruitHarMax", "mg m-2 s-1", "largest rate of fruit harvest", default=5e4, low=0.0)
    fruit_dry_matter: Value = quantity("dmfm", "kg kg-1", "dry matter per fresh matter of the fruit", default=0.0627, low=TINY, high=1.0)
    gas_energy: Value = quantity("energyContentGas", "MJ m-3", "heat of combustion of natural gas", default=31.65, low=TINY)
