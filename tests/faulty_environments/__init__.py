"""Environments with one fault each, and what the checks of `phytotron.testing` say of it."""
