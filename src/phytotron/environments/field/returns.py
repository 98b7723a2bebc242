"""The unit and meaning of the returns of field tasks, by the name of the reward."""

from collections.abc import Mapping

from phytotron.core.presentation import Return

GAIN = "grain gained over the same field without fertiliser, less the price of the nitrogen, in grain"

RETURNS: Mapping[str, Return] = {
    "cropgym": Return("g m-2", GAIN),
    "intercropgym": Return("g m-2", GAIN),
    "grain": Return("g m-2", GAIN),
    "without_baseline": Return("g m-2", "grain, less the price of the nitrogen, in grain"),
    "growth": Return("g m-2", "grain, whatever it takes"),
    "economic": Return("€ ha-1", "value of the grain, less what is paid for growing it"),
    "nitrogen_surplus": Return("g m-2", "minus the nitrogen that was given and is not in the grain"),
    "nitrogen_use_efficiency": Return("g g-1", "nitrogen in the grain per nitrogen that was there or was given"),
    "agronomic_efficiency": Return("g g-1", "grain gained per nitrogen given"),
    "applications": Return("-", "minus the number of times that fertiliser was given"),
    "land_equivalent_ratio": Return("-", "land that the crops need alone for the same harvest, per land of the field"),
}
