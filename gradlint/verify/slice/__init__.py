"""From source text to the closed world that is run: which loops there are, and what may run in them.

    text ──ast──► Index ──► Region, Region, ...      one for each training loop with all it calls in the file
                    │
                    └──► check(region)               refuses before anything runs

No text is ever compiled or handed to `exec`. The machine walks the syntax tree itself and knows a
closed list of nodes and callees; what is not on the list is data nobody looks into. So Python's own
`ast` is enough here: positions are exact, and nothing is written back.
"""
