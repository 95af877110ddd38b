"""The update of one batch is made while the next one is on its way."""
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def load(index):
    g = torch.Generator().manual_seed(index)
    x = torch.randn(16, 7, generator=g)
    return x, x.pow(2).sum(1, keepdim=True)


def train(record, updates=12, max_norm=2.0):
    torch.manual_seed(4)
    net = nn.Sequential(nn.Linear(7, 24), nn.ReLU(), nn.Linear(24, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.8)
    decay = torch.optim.lr_scheduler.StepLR(optimizer, 5, gamma=0.5)
    ready = False
    with ThreadPoolExecutor(max_workers=1) as pool:
        coming = pool.submit(load, 0)
        for n in range(updates):
            if ready:
                optimizer.step()
                record(list(net.parameters()))
                decay.step()
            x, y = coming.result()
            coming = pool.submit(load, n + 1)
            optimizer.zero_grad()
            loss = nn.functional.smooth_l1_loss(net(x), y)
            loss.backward()
            norm = clip_grad_norm_(net.parameters(), max_norm)
            ready = True
            print(n, f"{loss.item():.3f} {norm.item():.3f}")
        # the gradients of the last batch are still waiting
        optimizer.step()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
