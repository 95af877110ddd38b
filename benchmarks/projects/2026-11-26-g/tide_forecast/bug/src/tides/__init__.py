"""Quantile forecasts of the water level at a gauge."""
