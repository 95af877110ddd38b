import argparse


def options():
    parser = argparse.ArgumentParser("How far a bound map is off its fold.")
    parser.add_argument("--years", type=int, default=5)
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--rein", type=float, default=1.0)
    parser.add_argument("--fade-every", type=int, default=2)
    return parser.parse_args()
