"""Hail size from radar columns."""
import torch

from engine import train_one_epoch
from utils import dist
from utils.columns import RadarColumns
from utils.meters import Meter

EPOCHS, BATCH, WINDOW = 3, 8, 4


def main():
    torch.manual_seed(0)
    dist.start()
    radar = RadarColumns(80)
    loader = dist.sharded(radar, BATCH)
    held_out = dist.in_order(RadarColumns(24, seed=9), BATCH)
    net = torch.nn.Sequential(torch.nn.Linear(12, 24), torch.nn.ReLU(), torch.nn.Linear(24, 1))
    model = dist.wrap(net)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(EPOCHS):
        dist.reshuffle(loader, epoch)
        meter = Meter()
        train_one_epoch(model, loader, optimizer, WINDOW, meter)
        print(epoch, f"{meter.mean():.4f}", f"{score(model, held_out):.4f}")
    dist.stop()


def score(model, loader):
    model.eval()
    with torch.no_grad():
        errors = [(model(x) - y).abs().mean().item() for x, y in loader]
    return sum(errors) / len(errors)


if __name__ == "__main__":
    main()
