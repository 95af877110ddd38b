"""Keyword spotting on log-mel patches."""
