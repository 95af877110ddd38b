"""Conventions: what is called like what, each pattern once, with its evidence and examples on both sides.

The corpora are the repositories of `benchmarks/corpus*.txt`: counted are files in which some name is called so.
"""
