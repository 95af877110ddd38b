import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

ACCUM = 3


def objective(net, x, y):
    mean, spread = net(x).chunk(2, dim=1)
    return nn.functional.gaussian_nll_loss(mean, y, nn.functional.softplus(spread) + 1e-3)


def run_epoch(net, opt, batches, log, record):
    opt.zero_grad()
    for step, (x, y) in enumerate(batches, start=1):
        loss = objective(net, x, y)
        (loss / ACCUM).backward()
        log.append(loss.item())
        closes = step % ACCUM == 0 or step == len(batches)
        if closes:
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            opt.step()
            record(list(net.parameters()))
            opt.zero_grad()


def worker(record):
    net = DDP(nn.Sequential(nn.Linear(2, 12), nn.Tanh(), nn.Linear(12, 2)))
    opt = torch.optim.Adam(net.parameters(), lr=0.02)
    x = torch.rand(56, 2)
    y = (5 * x[:, :1]).cos() + 0.1 * torch.randn(56, 1)
    log = []
    for epoch in range(2):
        run_epoch(net, opt, list(zip(x.split(7), y.split(7))), log, record)
        print(epoch, log[-1])


def train(record):
    torch.manual_seed(15)
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        worker(record)
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
