import sys

sys.path.insert(0, "src")

from tides.cli import main

if __name__ == "__main__":
    main("settings.yaml")
