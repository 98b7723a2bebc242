"""Kallenberg et al. 2023, CropGym: nitrogen for winter wheat in two climates."""
