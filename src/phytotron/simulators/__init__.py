"""Simulators of others behind the environments of this package."""
