"""Settings: files, layers, the command line."""
