"""Reports: pure functions from what was found to the text that shows it; nothing prints here."""
