"""Weather: tables, formats, downloads, derived variables, a stochastic generator and named splits."""
