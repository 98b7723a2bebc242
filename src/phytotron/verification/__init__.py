"""Verification of models against recorded results of their published implementations."""
