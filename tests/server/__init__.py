"""Tests of the language server, with pytest-lsp as the editor."""
