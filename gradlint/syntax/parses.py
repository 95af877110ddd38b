"""Whether Python reads a file at all."""

from __future__ import annotations

_ONLY_AST = 0x400


def parses(data: bytes) -> bool:
    """Whether Python reads a file; if not, somebody should find out why."""
    from gradlint.syntax.quiet import quiet

    with quiet():
        try:
            compile(data, "", "exec", _ONLY_AST, dont_inherit=True)
        except Exception:  # noqa: BLE001  # whatever it is, it is found again and told
            return False
    return True
