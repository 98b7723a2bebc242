"""Physical constants, and numbers of the clock and the calendar."""

KELVIN = 273.15  # 0 °C in kelvin
SECONDS_PER_HOUR = 3600
SECONDS_PER_DAY = 24 * SECONDS_PER_HOUR
