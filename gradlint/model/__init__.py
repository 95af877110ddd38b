"""What the rooms hand to each other: plain frozen data that imports nothing else of gradlint."""
