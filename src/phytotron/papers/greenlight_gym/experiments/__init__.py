"""The experiments of GreenLight-Gym's paper."""
