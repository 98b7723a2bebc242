"""Reports: pages with figures and tables about episodes, training runs and twins."""
