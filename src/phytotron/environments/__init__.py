"""The tasks of the package, one folder each, by id. Nothing is imported before it is made."""

from phytotron.core.registry import register

register("phytotron/Greenhouse-v0", "phytotron.environments.greenhouse:Greenhouse")
register("phytotron/GreenLightGym-v0", "phytotron.environments.greenhouse:GreenLightGym")
register("phytotron/GreenhouseSetpoint-v0", "phytotron.environments.setpoint:GreenhouseSetpoint")
register("phytotron/WheatNitrogen-v0", "phytotron.environments.wheat:WheatNitrogen")
register("phytotron/Intercrop-v0", "phytotron.environments.intercrop:Intercrop")
register("phytotron/IntercropField-v0", "phytotron.environments.intercrop:IntercropField")
register("phytotron/IntercropField-v1", "phytotron.environments.intercrop:RevisedIntercropField")
register("phytotron/Lettuce-v0", "phytotron.environments.lettuce:Lettuce")
