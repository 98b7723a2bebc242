"""Environments in a web browser: a compiler from JAX to JavaScript, and the page on which a person plays them."""
