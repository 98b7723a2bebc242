"""Numbers of nature and of the clock."""

KELVIN = 273.15  # 0 °C in kelvin
SECONDS_PER_DAY = 86400
