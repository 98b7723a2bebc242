"""Adapters that show environments to other libraries: Gymnasium, Stable-Baselines3, RLlib and PettingZoo."""
