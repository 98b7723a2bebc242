"""Statistics for comparing controllers: estimates, comparisons and learning curves."""
