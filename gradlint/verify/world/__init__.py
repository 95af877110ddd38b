"""The world of a loop: real torch objects of the smallest kind, and a recorder that sees what they do."""
