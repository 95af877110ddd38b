"""Effects: what each library call does to the books.

A call that a library means something by carries an `Effect`; `use.apply` carries its action out. What one action
does stands in the module of its kind: forwards, gradients, steps, mixed precision, ranks, frameworks, construction;
`table` has them all.
"""
