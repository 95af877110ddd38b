import torch

import options
from engine import one_epoch
from helpers.matching import mismatch
from helpers.ranks import one_rank


def skeins(n, seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        dye = torch.rand(5, 8, generator=g)
        yield dye, dye[:, :3].mean(1, keepdim=True)


def main():
    opts = options.parse()
    torch.manual_seed(0)
    with one_rank() as wrap:
        model = wrap(torch.nn.Sequential(torch.nn.Linear(8, 14), torch.nn.ReLU(), torch.nn.Linear(14, 1)))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        lots, held = list(skeins(opts.skeins, 1)), list(skeins(4, 2))
        for epoch in range(opts.epochs):
            one_epoch(model, optimizer, lots, opts)
            print(epoch, round(mismatch(model, held), 4))


if __name__ == "__main__":
    main()
