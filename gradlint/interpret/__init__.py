"""The dry run: a program executed with concrete small integers and symbolic gradients.

explore    chooses windows and scenarios, runs the machine once for each scenario
language   says which function carries out which statement, which expression and which action of a library
machine    is one run, and what it knows;  values, conditions, sequences  are what is computed
effects    makes the events
"""
