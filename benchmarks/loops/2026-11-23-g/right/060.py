from functools import partial

import torch
from torch import nn


class InBackward:
    """Steps every parameter as soon as its gradient is complete, then frees it."""

    def __init__(self, module, make, max_value=1.0):
        self.max_value = max_value
        self.optimizers = {p: make([p]) for p in module.parameters()}
        self.handles = [p.register_post_accumulate_grad_hook(self.hook) for p in self.optimizers]

    def hook(self, p):
        nn.utils.clip_grad_value_([p], self.max_value)
        self.optimizers[p].step()
        self.optimizers[p].zero_grad(set_to_none=True)

    def lr(self, value):
        for o in self.optimizers.values():
            o.param_groups[0]["lr"] = value


class SetTransformer(nn.Module):
    def __init__(self, d=12):
        super().__init__()
        self.inp = nn.Linear(3, d)
        self.att = nn.MultiheadAttention(d, 2, batch_first=True)
        self.out = nn.Linear(d, 1)

    def forward(self, points):
        h = self.inp(points)
        h = h + self.att(h, h, h, need_weights=False)[0]
        return self.out(h.mean(1)).squeeze(-1)


def main():
    torch.manual_seed(0)
    model = SetTransformer()
    fused = InBackward(model, partial(torch.optim.Adam, lr=1e-2))
    criterion = nn.L1Loss()
    for step in range(30):
        fused.lr(1e-2 * (1 - step / 30))
        points = torch.rand(16, 5, 3)
        loss = criterion(model(points), points.amax((1, 2)))
        loss.backward()
        if step % 10 == 9:
            print(step, loss.item())


if __name__ == "__main__":
    main()
