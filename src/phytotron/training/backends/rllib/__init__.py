"""Training by RLlib."""
