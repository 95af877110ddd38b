"""The dry run: a program executed with concrete small integers and symbolic gradients.

explore   chooses windows and worlds, runs the machine once for each world
machine   executes statements;  evaluate  computes expressions;  effects  makes events
fold      turns a trail of events into updates and ledgers, one book for each optimizer
"""
