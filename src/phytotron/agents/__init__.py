"""Agents that learn, as pure functions in JAX."""
