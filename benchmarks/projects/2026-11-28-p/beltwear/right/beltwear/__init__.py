"""Remaining life of conveyor belts from vibration windows."""
