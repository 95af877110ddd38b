"""What library calls mean, and how things are called by convention. Imports no library."""
