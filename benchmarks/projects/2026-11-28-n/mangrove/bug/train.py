import argparse

from swamp import *
from swamp.survey import survey


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--width", type=int, default=16)
    args = parser.parse_args()
    seeded(17)
    survey(Canopy(args.width), plots(8), plots(2), args.rounds)


if __name__ == "__main__":
    main()
