"""Crop models of PCSE behind the wheat task."""
