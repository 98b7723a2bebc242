"""Parameter files of a plant that never was, in the formats of other programs."""

from __future__ import annotations

CABO = """\
** $Id: bean.cab $
** Bean 1 (Planta exempli)
CRPNAM='Bean 1; sown in spring!'
** phenology
TSUM1    = 700.     ! temperature sum from emergence to anthesis [cel d]
TSUM2    =1100.     ! temperature sum from anthesis to maturity [cel d]
DTSMTB   =   0.00,    0.00,     ! daily increase in temp. sum
            20.00,   20.00,     ! as function of av. temp. [cel; cel d]
            35.00,   20.00
DVSI = 0.           ! initial DVS
DVSEND   =   2.00   ! stage at harvest (= 2.0 at maturity [-])
TDWI     =  60.00   ! initial total crop dry weight [kg ha-1]
RGRLAI   =   0.0120 ! maximum relative increase in LAI [ha ha-1 d-1]
SLATB    =   0.00,    0.0020,   ! specific leaf area
             1.00,    0.0030,   ! as a function of DVS [-; ha kg-1]
             2.00,    0.0030
TBASE    =   2.0    ! lower threshold temp. for ageing of leaves [cel]
KDIFTB = 0.0, 0.70, ! extinction coefficient for diffuse visible light [-]
         2.0, 0.70  ! as function of DVS
AMAXTB   =   0.00,   30.00,
             2.00,    0.00
FRTB     =   0.00,    0.50,     ! fraction of total dry matter to roots
             1.20,    0.00,     ! as a function of DVS [-; kg kg-1]
             2.00,    0.00
FLTB     =   0.00,    0.60,     ! fraction of above-gr. DM to leaves
             1.50,    0.00,
             2.00,    0.00
FSTB     =   0.00,    0.40,
             1.00,    0.50,
             1.50,    0.00,
             2.00,    0.00
FOTB     =   0.00,    0.00,
             1.00,    0.30,
             1.50,    1.00,
             2.00,    1.00
RDRRTB   =   0.00,    0.000,    ! rel. death rate of roots
             1.50,    0.000,
             1.51,    0.020,
             2.00,    0.020
RDI      =  10.     ! initial rooting depth [cm]
RRI      =   1.2    ! maximum daily increase in rooting depth [cm d-1]
RDMCR    =  90.     ! maximum rooting depth [cm]
NMINSO   =   0.0300 ;       NMINVE   =   0.0080
NMAXSO   =   0.0450 ;       NMAXVE   =   0.0250
NFIX     =   0.75   ! fraction of N-uptake from biol. fixation [kg kg-1]
"""

INI = """\
## Set of bean 1, for LINTUL5

[phenology]
# temperature sum from emergence to anthesis [cel d]
TSUM1 = 720.
TSUM2 = 1100.

[assimilation]
KDIFTB = 0.0, 0.70, 2.0, 0.70
# radiation use efficiency (g DM/MJ PAR)
RUETB = 0.00, 3.00, 1.30, 3.00,
2.00, 0.40

[rooting]
# maximum rooting depth [cm]
RDMCR = 90.
DVSDR = 1.0
DVSDLT = 1.2

[nutrients]
NLUE = 1.1
FRNX = 1.00
LRNR = 0.50
LSNR = 0.40
NFIXF = 0.80
NMXLV = 0.0, 0.06, 1.0, 0.04
2.0, 0.03
"""

PCSE = '''\
"""Bean 1.

* made up
"""
import datetime as dt

TSUM1 = 710.   # temperature sum to anthesis [cel d]
ROOTDM = 0.9   # Maximum root depth [m]
SLAC = 0.02
LUE = 2.5
K = 0.7
NLUE = 0.3
FRTTB = [0.0, 0.5,
         1.2, 0.0,   # flowering is over
         2.0, 0.0]
FLVTB = [0.0, 0.3, 1.2, 0.1, 2.0, 0.0]
FSTTB = [0.0, 0.2, 1.2, 0.2, 2.0, 0.0]
FSOTB = [0.0, 0.0, 1.2, 0.7, 2.0, 1.0]
RTMIN = 0.03
WCI = 0.3
SOWN = dt.date(2010, 4, 1)
cropname = 'bean'
'''

YAML = """\
Version: 1.0.0
Metadata: &meta
    Title: made up
CropParameters:
    GenericC3: &GenericC3
        CO2EFFTB:
        - [40., 0.00, 2000., 1.11]
        - factor
        - ['PPM', '-']
    EcoTypes:
        bean: &bean
            <<: *GenericC3
            TSUM1:
            -  700
            - temperature sum from emergence to anthesis
            - ['C.d']
            RDMCR:
            - 90.0
            - maximum rooting depth
            - ['cm']
            NMAXLV_TB:
            - [0.00, 0.0600,
               2.00, 0.0330]
            - maximum N concentration in leaves
            - ['-', 'mass.mass-1']
            NFIX_FR:
            - 0.80
            - fraction fixed
            - ['-']
            NLUE_NPK:
            - 1.1
            - coefficient
            - ['-']
    Varieties:
        Bean_1:
            <<: *bean
            Metadata:
                <<: *meta
        Bean_2:
            <<: *bean
            TSUM1:
            - 800.
            - temperature sum from emergence to anthesis
            - ['C.d']
            Metadata:
                <<: *meta
"""
