"""Statistics of climates, and how similar two of them are."""
