"""From source to program: roles by evidence, meanings from the records, control flow as it stands.

text --source.parse--> ast --names, gates, patterns--> statements, expressions --> Program
"""

from gradlint.lower.linked import Linked, lower

__all__ = ["Linked", "lower"]
