"""Words of growers and of machine learning that the documentation explains, in addition to those on report pages.

Readers from one field do not know all words of the other. Each entry is a phrase that fits after the word and a colon.
"""

from collections.abc import Mapping

GROWING: Mapping[str, str] = {
    "actuator": "a device that changes the climate, such as a boiler, a vent or a lamp",
    "assimilates": "the sugars that photosynthesis makes, of which the plant grows and which it respires",
    "blackout screen": "a screen that keeps the light of lamps inside a greenhouse at night",
    "boiler": "the burner that heats the water of the heating pipes, in most greenhouses with natural gas",
    "canopy": "the leaves of a crop as a whole, as light and air meet them",
    "CO2 supply": "carbon dioxide that is added to the air of a greenhouse, since plants grow faster with more of it",
    "development stage": "how far a crop has come from emergence (0) over flowering (1) to maturity (2)",
    "dry weight": "the mass of plants without their water, which is what models of growth count",
    "evapotranspiration": "the water that soil and leaves lose to the air, in millimetres",
    "fruit set": "the beginning of a fruit after flowering",
    "global radiation": "the power of sunlight on a horizontal square metre, direct and diffuse, in watts",
    "grower's rules": "control by set-points and proportional bands, as climate computers in greenhouses do it",
    "intercropping": "growing two crops on one field at the same time",
    "land equivalent ratio": "the area of sole crops that yields as much as one unit of area on which two crops stand "
    "together; above 1, growing them together saves land",
    "leaf area index": "the area of leaves above a square metre of ground",
    "mineralisation": "the release of nitrogen from the organic matter of the soil, in a form that plants take up",
    "nitrogen use efficiency": "the share of the nitrogen supplied that ends up in the harvest",
    "PAR": "photosynthetically active radiation, the part of light between 400 and 700 nm that plants use",
    "relative humidity": "the vapour pressure of the air as a percentage of the highest possible at its temperature",
    "set-point": "the value that a climate controller is set to reach, such as 18 °C at night",
    "soil water content": "the volume of water in a volume of soil",
    "standard practice": "the doses and dates of fertiliser that advisers recommend, whatever the season brings",
    "thermal screen": "a cloth that is drawn over the crop at night to keep heat inside",
    "transpiration": "the water that leaves lose through their pores, in millimetres",
    "vapour pressure deficit": "how much more vapour the air could hold, in pascals; plants transpire more where it is "
    "large and suffer from fungi where it is small",
    "ventilation": "the exchange of the air in a greenhouse for air from outdoors, through its vents",
    "yield": "what is harvested, per square metre or hectare",
}

LEARNING: Mapping[str, str] = {
    "action": "what a controller decides in one step, such as the positions of actuators or a dose",
    "advantage": "how much better an action is than what the policy does on average in the same state",
    "agent": "a controller that learns from episodes",
    "batch": "many episodes that are stepped at once by the same compiled function",
    "checkpoint": "a file that holds the whole state of training, from which training resumes",
    "control interval": "the time between two decisions, during which an action is held",
    "cost": "by how much a constraint is violated in a step; 0 where it holds",
    "discount": "the factor by which a reward counts less for every step that it comes later",
    "environment": "a task: how an episode starts, what an action does, what is observed and how it is rewarded",
    "episode": "one run of a task, from a start to its end",
    "forecast": "weather to come that is part of the observation, exact or with an error",
    "gradient": "how much a number, such as the return, changes with each of the numbers that it depends on",
    "measure": "a number that sums up an episode besides the return, such as the yield or the heat used",
    "model predictive control": "control that plans some hours ahead with a model in every step, does the first action "
    "and plans again",
    "observation": "what a controller is given to decide by, an array of numbers",
    "oracle": "the best plan found by a search that knows all weather to come",
    "parameters": "the numbers of a model, or of an episode, that stay the same while it is run",
    "policy": "the function from observations to actions that an agent has learned",
    "PPO": "proximal policy optimisation, an algorithm that improves a policy by small steps from its own episodes",
    "replay buffer": "the transitions that an off-policy algorithm keeps and learns from again",
    "return": "the sum of the rewards of an episode",
    "reward": "the number that a step adds to the return",
    "rollout": "the steps that are played with a policy between two updates of it",
    "split": "a division of the years of weather into parts to train, to validate and to test on",
    "state": "everything that changes during an episode and that the next step depends on",
    "terminated": "the task itself has ended, as at a harvest",
    "transition": "one step of an episode: observation, action, reward and the observation after it",
    "truncated": "the episode was cut off by its time limit, although the task would go on",
}
