"""Numbers of the paper that our results are put beside.

Kallenberg, Overweg, van Bree and Athanasiadis 2023, Nitrogen management with Reinforcement Learning and crop growth
models. Every entry of a table is the median and the ends of its 95 % interval.
"""

from collections.abc import Mapping

from phytotron.evaluation.statistics.estimates import Estimate

PAPER = "Kallenberg, Overweg, van Bree and Athanasiadis 2023, CropGym"
YEARS = tuple(range(1990, 2022))
NORTH, SOUTH = (52.0, 5.5), (48.0, 0.0)  # °N, °E
TRAINING_SITES = (NORTH, (51.5, 5.0), (52.5, 6.0))

Agents = Mapping[str, Mapping[str, Estimate]]

Interval = tuple[float, float, float]  # the median, and the ends of its interval


def _published(reward: Interval, nitrogen: Interval, grain: Interval) -> Mapping[str, Estimate]:
    """A line of a table: reward [g m-2], nitrogen [kg ha-1] and yield [t ha-1]."""
    columns = {"cumulative reward": reward, "nitrogen": nitrogen, "yield": grain}
    return {name: Estimate(*each) for name, each in columns.items()}


TABLE2: Agents = {
    "Ceres": _published((129.39, 73.34, 136.57), (183.0, 157.2, 211.1), (8.96, 8.41, 9.14)),
    "SP": _published((117.74, 67.47, 132.82), (170.7, 170.7, 170.7), (8.72, 8.13, 8.94)),
    "RL": _published((121.36, 67.96, 133.19), (180.0, 170.0, 200.0), (8.81, 8.24, 9.13)),
    "RL - SP": _published((3.33, -1.94, 10.89), (9.3, -0.70, 29.3), (0.13, -0.01, 0.39)),
}
TABLE3: Agents = {
    "Ceres": _published((95.15, 0.0, 157.67), (149.6, 0.0, 202.99), (8.60, 4.69, 9.60)),
    "SP": _published((89.43, -67.02, 140.23), (170.7, 170.7, 170.7), (8.50, 5.80, 9.13)),
    "RL": _published((78.17, -49.92, 142.65), (160.0, 140.0, 180.0), (8.45, 5.80, 9.13)),
    "RL - SP": _published((4.52, -4.85, 16.79), (-10.70, -30.7, 9.3), (-0.04, -0.17, 0.13)),
}
# Table 4: the DQN agent.
TABLE4_NORTH: Agents = {
    "RL": _published((115.60, 59.73, 132.75), (200.0, 170.0, 210.0), (8.80, 8.18, 9.21)),
    "RL - SP": _published((0.38, -5.05, 9.87), (29.30, -0.70, 39.30), (0.16, -0.04, 0.41)),
}
TABLE4_SOUTH: Agents = {
    "RL": _published((78.46, -54.88, 144.71), (180.0, 150.0, 190.0), (8.48, 5.83, 9.33)),
    "RL - SP": _published((1.34, -6.85, 15.83), (9.30, -20.70, 19.30), (0.02, -0.18, 0.15)),
}
# One-sided p of RL - SP, in the order of the quantities.
P_NORTH, P_SOUTH = (0.1057, 0.0398, 0.0290), (0.1792, 0.7244, 0.6459)
P_DQN_NORTH, P_DQN_SOUTH = (0.4822, 0.0355, 0.0360), (0.4043, 0.4734, 0.4726)

# Section 3, of growing seasons: temperature [°C], rain [mm d-1], length [d].
SEASON_NORTH, SEASON_SOUTH = (9.8, 2.12, 208.0), (10.4, 1.92, 200.0)
SIMILARITY = 0.573  # figure 1
RAIN_AND_NITROGEN = Estimate(0.69, 0.58, 0.76)  # section 3: Pearson's correlation, Ceres, northern climate
RAIN_AND_NITROGEN_RL = Estimate(0.63, 0.12, 0.82)  # likewise, of RL
APPLICATIONS = Estimate(7.0, 6.0, 8.0)  # section 3, of a season, RL, northern climate
DAYS = Estimate(208.0, 205.0, 211.0)  # section 3, length of an episode, northern climate

# Not printed: from the authors' results per year, medians over runs.
AUTHORS_DATA = "authors' data"
AUTHORS_NOTE = (
    "The numbers beside ours are not printed in the paper: we computed them from the authors' results per year, in the "
    "same way as ours."
)
# Figure 2: share of the years [%] in which RL is closer to Ceres than SP is, and in which it earns more than SP.
CLOSER: Mapping[str, float] = {"cumulative reward": 68.75, "nitrogen": 75.0}
ABOVE_BREAK_EVEN = 68.75
# Figure 5: correlation of PPO and DQN, and the median of their absolute differences, in both climates.
PPO_AND_DQN: Mapping[str, tuple[Estimate, float]] = {
    "cumulative reward": (Estimate(0.996, 0.993, 0.999), 2.77),
    "nitrogen": (Estimate(0.960, 0.913, 0.983), 0.0),
    "yield": (Estimate(0.996, 0.988, 0.999), 0.090),
}
