"""The machine: walks the syntax tree of a loop and keeps real torch objects behind its names.

No line of the loop is executed by Python. A name stands for a plain value, a *thing* (an object of
`gradlint.verify.world`), a piece of training data nobody looks into, or something unknown; a call is
carried out only when the machine knows it or its function stands in the same file.
"""
