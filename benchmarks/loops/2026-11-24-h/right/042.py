from copy import deepcopy
from itertools import islice

import torch
import torch.nn as nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


def batched(source, size):
    source = iter(source)
    while group := tuple(islice(source, size)):
        yield group


class Mlp(nn.Sequential):
    def __init__(self, *dims):
        mods = []
        for a, b in zip(dims, dims[1:]):
            mods += [nn.Linear(a, b), nn.Tanh()]
        super().__init__(*mods[:-1])


def main(epochs=3, per_update=4):
    torch.manual_seed(13)
    x = torch.randn(180, 6)
    y = torch.stack([x[:, 0] * x[:, 1], x[:, 2].abs()], 1)
    chunks = list(zip(x.split(18), y.split(18)))
    net = Mlp(6, 32, 32, 2)
    smooth = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.9))
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    huber = nn.HuberLoss()
    for epoch in range(epochs):
        updates = 0
        for window in batched(chunks, per_update):
            opt.zero_grad()
            for xb, yb in window:
                (huber(net(xb), yb) / len(window)).backward()
            opt.step()
            smooth.update_parameters(net)
            updates += 1
        with torch.no_grad():
            err = huber(smooth(x), y).item()
        print(f"epoch {epoch}: {updates} updates of {len(chunks)} chunks, ema loss {err:.4f}")
    return deepcopy(smooth.module)


if __name__ == "__main__":
    main()
