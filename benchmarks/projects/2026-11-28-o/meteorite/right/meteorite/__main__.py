import argparse

from meteorite.build import assemble
from meteorite.lab import Lab
from meteorite.samples import slices

parser = argparse.ArgumentParser(prog="meteorite")
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--lr", type=float, default=0.05)
args = parser.parse_args()

parts = assemble(args.lr)
lab = Lab(parts)
for epoch in range(args.epochs):
    losses = lab.epoch(slices(10, seed=epoch))
    print(epoch, f"{losses:.4f}", f"lr {lab.rate():.4f}")
