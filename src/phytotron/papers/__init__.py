"""Published experiments: every table and figure is a function with a name (see `registry`)."""
