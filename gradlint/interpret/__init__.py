"""The dry run: a program executed with concrete small integers and symbolic gradients.

explore   chooses windows and scenarios, runs the machine once for each scenario
machine   executes statements;  evaluate  computes expressions;  effects  makes events
fold      turns an event log of events into updates and ledgers, one book for each optimizer
"""
