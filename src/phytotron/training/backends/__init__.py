"""Training by other libraries: Stable-Baselines3 and RLlib."""
