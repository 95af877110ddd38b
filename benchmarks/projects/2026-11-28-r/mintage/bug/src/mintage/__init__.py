"""How fast a coining die wears, from the alloy and the press."""
