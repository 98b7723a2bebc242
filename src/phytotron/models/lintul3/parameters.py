"""Parameters of crop, soil and site.

The defaults are the winter wheat of CropGym's paper; `parameter_sets` holds the variants.

References
----------
[S] Shibu, Leffelaar, van Keulen and Aggarwal 2010, LINTUL3, a simulation model for nitrogen-limited situations:
    application to rice. European Journal of Agronomy 32, 255-271.
[K] Kallenberg, Overweg, van Bree and Athanasiadis 2023, Nitrogen management with reinforcement learning and crop growth
    models. Environmental Data Science 2, e34. Its model is LINTUL-3 of PCSE with changes that are marked [K] below.
"""

from phytotron.core.fields import Value, fraction, quantity, record
from phytotron.models.lintul3 import wheat_tables as wheat
from phytotron.models.lintul3.tables import table

TINY = 1e-9  # the lower end of a range for what must be positive
RESIDUAL = 0.002104057279236277  # g g-1, residual nitrogen of stems and of roots


@record
class Parameters:
    """One field: development, light, leaves, growth, roots, nitrogen, soil, site, season."""

    # Development
    initial_stage: Value = quantity("DVSI", "-", "development stage at the start", default=0.0, low=0.0, high=0.999)
    mature_stage: Value = quantity("DVSEND", "-", "development stage at maturity", default=2.0, low=1.0 + TINY, high=3.0)
    vegetative_temperature_sum: Value = quantity("TSUM1", "°C d", "temperature sum from emergence to flowering", default=1133.3300000000002, low=TINY)
    reproductive_temperature_sum: Value = quantity("TSUM2", "°C d", "temperature sum from flowering to maturity", default=886.0600000000003, low=TINY)
    temperature_response: Value = table("DTSMTB", "°C d d-1", "daily temperature sum by mean temperature [°C]", (0.0, 0.0, 50.0, 50.0), low=0.0)

    # Light and growth
    light_use_efficiency: Value = quantity("LUE", "g MJ-1", "dry matter per intercepted light", default=2.732676091994192, low=0.0)
    light_extinction: Value = quantity("K", "-", "extinction of light by the leaves", default=0.6, low=0.0)
    light_use_nitrogen_effect: Value = quantity("NLUE", "-", "how strongly a nitrogen shortage reduces growth", default=0.2, low=0.0)
    critical_transpiration: Value = quantity("TRANCO", "mm d-1", "transpiration constant: the larger, the later drought is felt", default=8.0, low=TINY)

    # Partitioning; the four tables add up to one
    root_share: Value = table("FRTTB", "-", "share of growth to the roots by stage", wheat.ROOT_SHARE, low=0.0, high=1.0)
    leaf_share: Value = table("FLVTB", "-", "share of growth to the leaves by stage", wheat.LEAF_SHARE, low=0.0, high=1.0)
    stem_share: Value = table("FSTTB", "-", "share of growth to the stems by stage", wheat.STEM_SHARE, low=0.0, high=1.0)
    grain_share: Value = table("FSOTB", "-", "share of growth to the grain by stage", wheat.GRAIN_SHARE, low=0.0, high=1.0)
    leaf_share_nitrogen_effect: Value = quantity("NPART", "-", "how strongly a nitrogen shortage reduces the leaves' share", default=1.0, low=0.0)
    stem_remobilisation: Value = fraction("FRTRL", "stem mass that becomes grain per unit of stage after flowering [K]", default=0.2)

    # Leaves
    base_temperature: Value = quantity("TBASE", "°C", "temperature above which juvenile leaves grow", default=0.0, low=-20.0, high=40.0)
    juvenile_leaf_growth: Value = quantity("RGRL", "(°C d)-1", "relative growth of juvenile leaf area", default=0.009, low=0.0, high=1.0)
    specific_leaf_area: Value = quantity("SLAC", "m2 g-1", "leaf area per leaf mass", default=0.022, low=TINY, high=1.0)
    specific_leaf_area_factor: Value = table("SLACF", "-", "factor of it by stage", (0.0, 1.0, 2.0, 1.0), low=0.0)
    specific_leaf_area_nitrogen_effect: Value = quantity("NSLA", "-", "how strongly a nitrogen shortage makes leaves thicker", default=0.0, low=0.0)
    leaf_area_nitrogen_effect: Value = quantity("NLAI", "-", "how strongly a nitrogen shortage slows juvenile leaves", default=1.0, low=0.0)
    ageing_temperature_sum: Value = quantity("TSUMAG", "°C d", "temperature sum at which leaves begin to age", default=1133.3300000000002, low=0.0)
    leaf_death: Value = table("RDRT", "d-1", "relative death of ageing leaves by temperature [°C]", (-10.0, 0.0, 10.0, 0.02, 15.0, 0.03, 30.0, 0.05, 50.0, 0.09), low=0.0)
    critical_leaf_area: Value = quantity("LAICR", "m2 m-2", "leaf area index above which leaves die of shade", default=4.0, low=TINY)
    shade_leaf_death: Value = quantity("RDRSHM", "d-1", "relative death of leaves by shade at twice that index", default=0.03, low=0.0)
    nitrogen_leaf_death: Value = quantity("RDRNS", "d-1", "relative death of leaves without nitrogen", default=0.03, low=0.0)

    # Roots
    initial_root_depth: Value = quantity("ROOTDI", "m", "root depth at the start", default=0.1, low=0.001, high=10.0)
    maximum_root_depth: Value = quantity("ROOTDM", "m", "largest root depth", default=1.2, low=0.001, high=10.0)
    root_deepening: Value = quantity("RRDMAX", "m d-1", "largest growth of the root depth", default=0.012, low=0.0, high=1.0)
    root_death: Value = quantity("RDRRT", "d-1", "relative death of roots", default=0.03, low=0.0, high=1.0)
    root_death_stage: Value = quantity("DVSDR", "-", "stage from which roots die", default=1.0, low=0.0)

    # Dry matter at the start
    initial_leaf_mass: Value = quantity("WLVGI", "g m-2", "leaves at the start", default=2.4, low=TINY)
    initial_root_mass: Value = quantity("WRTLI", "g m-2", "roots at the start", default=3.6, low=0.0)
    initial_stem_mass: Value = quantity("WSTI", "g m-2", "stems at the start", default=0.0, low=0.0)
    initial_grain_mass: Value = quantity("WSOI", "g m-2", "grain at the start", default=0.0, low=0.0)

    # Nitrogen in the crop
    maximum_leaf_nitrogen: Value = table("NMXLV", "g g-1", "largest nitrogen content of the leaves by stage", wheat.LEAF_NITROGEN, low=0.0)
    stem_nitrogen_ratio: Value = quantity("LSNR", "-", "largest nitrogen content of stems per that of leaves", default=0.5, low=0.0)
    root_nitrogen_ratio: Value = quantity("LRNR", "-", "largest nitrogen content of roots per that of leaves", default=0.5, low=0.0)
    maximum_grain_nitrogen: Value = quantity("NMAXSO", "g g-1", "largest nitrogen content of the grain", default=0.0451, low=0.0)
    critical_nitrogen: Value = fraction("FRNX", "critical per largest nitrogen content", default=0.65)
    residual_leaf_nitrogen: Value = quantity("RNFLV", "g g-1", "nitrogen that stays in dead leaves", default=0.009300000000000001, low=0.0, high=1.0)
    residual_stem_nitrogen: Value = quantity("RNFST", "g g-1", "nitrogen that stays in stems", default=RESIDUAL, low=0.0, high=1.0)
    residual_root_nitrogen: Value = quantity("RNFRT", "g g-1", "nitrogen that stays in dead roots", default=RESIDUAL, low=0.0, high=1.0)
    initial_leaf_nitrogen: Value = quantity("NFRLVI", "g g-1", "nitrogen content of leaves at the start", default=0.06632361239320932, low=0.0, high=1.0)
    initial_stem_nitrogen: Value = quantity("NFRSTI", "g g-1", "nitrogen content of stems at the start", default=0.03, low=0.0, high=1.0)
    initial_root_nitrogen: Value = quantity("NFRRTI", "g g-1", "nitrogen content of roots at the start", default=0.03, low=0.0, high=1.0)
    root_translocation: Value = fraction("FNTRT", "nitrogen that roots can give to the grain per that of the shoot", default=0.15)
    translocation_time: Value = quantity("TCNT", "d", "time constant of nitrogen translocation to the grain", default=10.0, low=TINY)
    translocation_stage: Value = quantity("DVSNT", "-", "stage after which nitrogen moves to the grain", default=1.0, low=0.0)
    nitrogen_fixation: Value = fraction("NFIXF", "share of its nitrogen demand that a legume fixes from the air", default=0.0)
    last_uptake_stage: Value = quantity("DVSNLT", "-", "stage from which no nitrogen is taken up", default=2.0, low=0.0)

    # Soil
    air_dry_content: Value = fraction("WCAD", "water content of air-dry soil", default=0.1)
    wilting_point: Value = fraction("WCWP", "water content at which the crop wilts", default=0.2)
    field_capacity: Value = fraction("WCFC", "water content that stays against drainage", default=0.4)
    wet_content: Value = fraction("WCWET", "water content above which roots lack air", default=0.45)
    saturation: Value = fraction("WCST", "water content of saturated soil", default=0.5)
    maximum_drainage: Value = quantity("DRATE", "mm d-1", "largest drainage", default=30.0, low=0.0)
    initial_soil_nitrogen: Value = quantity("TNSOILI", "g m-2", "mineral nitrogen at the start [K]", default=7.7, low=0.0)
    mineralisation: Value = quantity("RTMIN", "g m-2 d-1", "nitrogen that the soil sets free; RNMIN in plain PCSE", default=0.03, low=0.0)

    # Site and season
    initial_water_content: Value = fraction("WCI", "water content of the rooted soil at the start", default=0.3)
    subsoil_water_content: Value = fraction("WCSUBS", "water content of the soil below the roots", default=0.2)
    flooded_crop: Value = fraction("WMFAC", "1 for a crop that does not mind saturated soil", default=0.0)
    automatic_irrigation: Value = fraction("IRRIGF", "1 to irrigate to field capacity, or saturation, every day", default=0.0)
    irrigation_by_farmer: Value = fraction("WMTAB", "1 to irrigate what the farmer asks for and nothing else [K]", default=1.0)
    irrigation_efficiency: Value = fraction("efficiency", "irrigation water that reaches the soil", default=0.8)
    nitrogen_recovery: Value = fraction("recovery", "fertiliser nitrogen that reaches the crop's soil", default=0.7)
    latest_harvest: Value = quantity("crop_end_date", "d", "days from the start to the harvest of a crop that does not mature; 1 September from 1 January", default=243.0, low=0.0, high=365.0)
