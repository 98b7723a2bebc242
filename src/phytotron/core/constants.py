"""Physical constants, and numbers of the clock and the calendar."""

KELVIN = 273.15  # 0 °C in kelvin
SECONDS_PER_DAY = 86400
