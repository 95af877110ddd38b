import torch
from torch import nn

from plant.constants import ACCUM, SENSORS
from plant.inspection import Inspector
from plant.ledger import Ledger
from plant.losses import alarm_loss
from plant.settings import Settings


def basin(count, seed):
    gen = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 12, SENSORS, generator=gen)
    return [(one, (one.sum(1, keepdim=True) > 0).float()) for one in x]


def main():
    cfg = Settings.read("plant.json")
    torch.manual_seed(16)
    net = nn.Sequential(nn.Linear(SENSORS, 21), nn.BatchNorm1d(21), nn.ReLU(), nn.Dropout(0.2), nn.Linear(21, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=cfg.train.lr)
    ledger, inspector = Ledger(), Inspector(basin(cfg.inspect.batches, seed=1), cfg.inspect.every)
    batches = basin(19, seed=0)
    for epoch in range(cfg.train.epochs):
        net.train()
        optimizer.zero_grad()
        for n, batch in enumerate(batches, start=1):
            loss = alarm_loss(net, batch)
            loss.backward()
            if n % ACCUM == 0 or n == len(batches):
                optimizer.step()
                optimizer.zero_grad()
            ledger.note("loss", loss.detach())
            inspector.after_batch(net, n)
        print(epoch, f"{ledger.mean('loss'):.4f}", f"{inspector.scores[-1]:.3f}")


if __name__ == "__main__":
    main()
