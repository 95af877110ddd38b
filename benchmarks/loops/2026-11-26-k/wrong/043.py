import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Ema:
    def __init__(self, model, decay=0.95):
        self.shadow = copy.deepcopy(model).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)


def train_one_epoch(model, ema, loader, optimizer, cfg):
    model.train()
    for it, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(x), y) / cfg["accum"]
        loss.backward()
        if it % cfg["accum"] == cfg["accum"] - 1:
            nn.utils.clip_grad_norm_(model.parameters(), cfg["clip"])
            optimizer.step()
            optimizer.zero_grad()
            ema.update(model)
    return loss.item() * cfg["accum"]


def main():
    torch.manual_seed(34)
    cfg = {"accum": 3, "clip": 1.0, "epochs": 3}
    x = torch.randn(200, 7)
    loader = DataLoader(TensorDataset(x, (x.norm(dim=1) > 2.6).long()), batch_size=20, shuffle=True)
    model = nn.Sequential(nn.Linear(7, 30), nn.Mish(), nn.Linear(30, 2))
    ema = Ema(model)
    optimizer = torch.optim.RAdam(model.parameters(), lr=5e-3)
    for epoch in range(cfg["epochs"]):
        print(epoch, train_one_epoch(model, ema, loader, optimizer, cfg))


main()
