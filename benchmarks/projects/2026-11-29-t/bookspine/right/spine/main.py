import torch
from torch import nn

from . import finish  # noqa: F401  (fills the registry)
from .engine import Reader
from .registry import build_finisher
from .settings import Settings


def shelves(n, letters, seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        x = torch.randn(16, 20, generator=g)
        yield x, x[:, :letters].argmax(1)


def main():
    cfg = Settings()
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, cfg.letters))
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    close = build_finisher(cfg.finish, model=model, optimizer=optimizer, scaler=scaler)
    reader = Reader(model, scaler, close, cfg.probe_every)
    train_set = list(shelves(12, cfg.letters, 1))
    held_out = list(shelves(3, cfg.letters, 2))
    for epoch in range(cfg.epochs):
        print(epoch, reader.epoch(train_set, held_out))


if __name__ == "__main__":
    main()
