import torch

from metro.config import Config
from metro.data import stations
from metro.engine import advance, train_epoch
from metro.factory import build_model, build_optimizer, build_scheduler


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    model = build_model(cfg)
    optimizer, trainable = build_optimizer(model, cfg)
    scheduler = build_scheduler(optimizer, cfg)
    loader = stations(cfg)
    for epoch in range(cfg.epochs):
        rate = advance(scheduler)
        crowd = train_epoch(model, loader, optimizer, trainable, cfg.max_norm)
        print(epoch, f"{rate:.5f}", f"{crowd:.4f}")


if __name__ == "__main__":
    main()
