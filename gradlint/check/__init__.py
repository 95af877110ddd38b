"""One file, or many: run, judged, repaired, judged again, told."""
