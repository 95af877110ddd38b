import argparse
import logging

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("train")


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=60)
    p.add_argument("--log-every", type=int, default=20)
    p.add_argument("--rank", type=int, default=4)
    return p.parse_args()


class LoRALinear(nn.Module):
    def __init__(self, base, rank):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.a = nn.Parameter(torch.randn(rank, base.in_features) * 0.05)
        self.b = nn.Parameter(torch.zeros(base.out_features, rank))

    def forward(self, x):
        return self.base(x) + x @ self.a.t() @ self.b.t()


def main():
    args = get_args()
    torch.manual_seed(108)
    layer = LoRALinear(nn.Linear(16, 16), args.rank)
    goal = torch.randn(16, 16) * 0.2
    opt = torch.optim.AdamW([layer.a, layer.b], lr=1e-2)
    for i in range(args.steps):
        x = torch.randn(32, 16)
        loss = nn.functional.mse_loss(layer(x), x @ goal)
        loss.backward()
        opt.step()
        opt.zero_grad()
        if i % args.log_every == 0 or i == args.steps - 1:
            log.info("step %d loss %.5f", i, loss.item())


main()
