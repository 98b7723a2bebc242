"""Twins of real greenhouses: replays of their logs, and parameters that the logs tell."""
