import torch

from mill.base import Mill
from mill.mixins import Clearing, Clipping, Counting
from mill.pulp import Felt, sheets


class Press(Counting, Clipping, Clearing, Mill):
    limit = 0.8


def main():
    torch.manual_seed(31)
    felt = Felt()
    press = Press(felt, torch.optim.Adam(felt.parameters(), lr=0.01), fold=3)
    for run in range(3):
        print(f"run {run}: {press.roll(sheets(80)):.4f} after {press.sheets} sheets")


if __name__ == "__main__":
    main()
