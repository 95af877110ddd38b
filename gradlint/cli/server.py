"""`gradlint server`: serve an editor."""

from __future__ import annotations

import click

from gradlint.cli import Exit
from gradlint.cli.console import complain

EPILOG = """\b
Examples:
  gradlint server                         what an editor is told to start

\b
Exit status:
  0  the editor said goodbye
  2  bad usage, or the extra `lsp` is not installed

It speaks the language server protocol over standard input and output. How to set up VS Code, Neovim,
Helix and Emacs is in docs/editors.md.
"""

MISSING = "error: the language server needs pygls; install it with: pip install 'torch-gradlint[lsp]'"


@click.command("server", epilog=EPILOG, short_help="Serve an editor (LSP).")
@click.option("--stdio", is_flag=True, expose_value=False, help="Accepted: there is no other way to talk.")
def command() -> int:
    """Show findings, repairs and ledgers in an editor, as you type."""
    try:
        from gradlint.server.serve import serve
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("pygls", "lsprotocol"):
            raise
        complain(MISSING)
        return Exit.USAGE
    serve()
    return Exit.CLEAN
