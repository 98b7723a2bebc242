"""Sweeps: many trainings over grids of settings, by Ray Tune."""
