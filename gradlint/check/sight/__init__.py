"""Sight: which loops of a file were judged, which in part, and which not, with the line that would cure it.

    regions, cases ──seen──► what happened in each loop ──reasons──► what is missing, and who could say it

A *loop* is where the dry run begins (a function, or the module's body) with all that it runs, if it adds to gradients
or spends them. It is judged when some update consumes what a backward added, and nothing on the way was hidden.
"""
