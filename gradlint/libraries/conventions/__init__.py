"""Conventions: what is called like what, each pattern once, with its evidence and examples on both sides."""
