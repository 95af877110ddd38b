"""From the event log to the books: the same for a loop on paper, measured, or observed.

names       what objects are called in the source
owners      which optimizers a backward feeds
fold        one book of updates for each optimizer: what each consumed, found again, or lost
weights     by how much each micro-batch counts: nobody else computes with factors
ledgers     an update as a row, as executed and as the loop means it; what users see
case        what rules see: a scenario, its books, and what the program mentions elsewhere
accounts    all that is told of a scenario, field by field, so that a repair can be held against it
faults      what PyTorch would refuse there
work        what a scenario does, counted: what a repair must leave, even where it moves windows
"""
