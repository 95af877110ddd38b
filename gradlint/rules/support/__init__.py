"""What several rules share: what they see and say, and the repairs they name."""
