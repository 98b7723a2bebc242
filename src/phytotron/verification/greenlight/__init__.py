"""Verification of GreenLight against trajectories of its published implementations."""
