"""Serving one editor."""

from __future__ import annotations

import logging

from gradlint.server.app import Server
from gradlint.server.features import register


def serve() -> None:
    """Serve one editor over standard input and output, until it says goodbye."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    server = Server()
    register(server)
    server.start_io()
