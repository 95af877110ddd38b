from types import SimpleNamespace

import torch

import handlers  # noqa: F401
from bus import emit
from forest import OwlNet, recordings
from parallel import joined, spread
from scoring import hit_rate


def main():
    torch.manual_seed(12)
    with joined():
        ctx = SimpleNamespace(net=spread(OwlNet(16)))
        ctx.optimizer = torch.optim.SGD(ctx.net.parameters(), lr=0.1, momentum=0.9)
        ctx.warmup = torch.optim.lr_scheduler.LinearLR(ctx.optimizer, 0.1, total_iters=10)
        held_out = list(recordings(3, seed=2))
        for night in range(2):
            ctx.net.train()
            for ctx.batch in recordings(8, seed=1):
                emit("batch", ctx)
                emit("update", ctx)
            print(night, round(ctx.loss.item(), 4), hit_rate(ctx.net, held_out), ctx.warmup.get_last_lr())


if __name__ == "__main__":
    main()
