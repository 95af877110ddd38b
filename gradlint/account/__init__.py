"""From the event log to the books: owners, weights, updates, ledgers, and work that a repair must keep."""
