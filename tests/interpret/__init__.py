"""The dry run against reality: random loops, laws, planted bugs, and each layer by itself.

loops     a recipe -> the source of a training loop
reality   the source, really executed with a tiny torch that keeps its own accounts
machine   the source through gradlint, told in the words of the same accounts
accounts  those words, and how two accounts differ
"""
