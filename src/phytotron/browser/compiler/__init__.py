"""A compiler from JAX functions to JavaScript."""
