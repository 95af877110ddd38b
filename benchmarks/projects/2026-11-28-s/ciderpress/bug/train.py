import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from amp import precision
from config import Config
from press import run_epoch


def main(path):
    cfg = Config.read(path)
    torch.manual_seed(cfg.seed)
    must = torch.rand(cfg.data.casks, 6)
    loader = DataLoader(TensorDataset(must, must.sum(1, keepdim=True)), cfg.data.batch, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 20), nn.GELU(), nn.Linear(20, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.optim.lr)
    context, scaler = precision(cfg)
    for epoch in range(cfg.epochs):
        print(epoch, round(run_epoch(cfg, model, loader, optimizer, context, scaler), 4))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "settings.yaml")
