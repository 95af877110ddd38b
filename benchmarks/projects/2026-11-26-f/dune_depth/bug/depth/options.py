import argparse


def parse():
    p = argparse.ArgumentParser(description="Depth of dunes from one image")
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--every", type=int, default=4)
    p.add_argument("--lr", type=float, default=0.02)
    p.add_argument("--max-norm", type=float, default=0.2)
    p.add_argument("--seed", type=int, default=21)
    return p.parse_args()
