"""`gradlint server`: findings, repairs and ledgers in an editor, over the language server protocol.

    editor ──texts──► documents ──Unit──► desk ──Question──► worker (a process) ──► engine
       ▲                                                                              │
       └────────── diagnostics, actions, hover, hints ◄──────── findings ─────────────┘

A `Unit` is what is checked as one program: a file, or all code cells of a notebook. Rows and columns
are gradlint's own (1-based, characters) up to the last step, where `lines` turns them into the
protocol's (0-based, UTF-16 code units unless the editor prefers others).

pygls and lsprotocol, the extra `lsp`, are imported by this package alone.
"""
