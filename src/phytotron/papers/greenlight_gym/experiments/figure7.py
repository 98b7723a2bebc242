"""Figure 7 of GreenLight-Gym: the average day of the actuators on the test windows."""

from __future__ import annotations

from phytotron.papers.greenlight_gym.experiments.average_days import Shown, average_days
from phytotron.papers.greenlight_gym.numbers import PAPER
from phytotron.papers.result import Result, Row, Settings

POSITIONS = tuple(
    Shown(name, meaning, "-", name)
    for name, meaning in (
        ("boiler", "boiler valve"),
        ("co2_injection", "CO₂ injection"),
        ("roof_vent", "roof vent"),
        ("thermal_screen", "thermal screen"),
    )
)


def figure7(settings: Settings) -> Result:
    """Boiler, CO2 injection, roof vent and thermal screen."""
    found = average_days(settings, POSITIONS)
    rows = [
        Row(controller, f"{each.meaning}, mean position", each.unit, day.mean(each.recorded)[0].mean())
        for controller, day in found.days.items()
        for each in POSITIONS
    ]
    note = "The caption of the paper's figure says training windows, its text test windows."
    return found.result("Actuators", f"{PAPER}, figure 7 and section 4.5", rows, note)
