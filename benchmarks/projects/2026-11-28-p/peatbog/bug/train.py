import sys

import torch

from peat.model import bog_net, cores
from peat.precision import make_precision
from peat.runner import Runner
from peat.settings import Window, load


def main(path):
    cfg = load(path)
    torch.manual_seed(12)
    net = bog_net()
    optimizer = torch.optim.SGD(net.parameters(), lr=cfg.optim.lr, momentum=cfg.optim.momentum)
    dtype, scaler = make_precision(cfg.precision)
    runner = Runner(net, optimizer, dtype, scaler, Window())
    data = cores(cfg.run.batches)
    for epoch in range(cfg.run.epochs):
        print(epoch, f"{runner.epoch(data):.4f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "peat.yaml")
