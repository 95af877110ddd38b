import torch
from torch import nn
from torch.utils.data import DataLoader

from birdcall import BirdDataset, SEDModel, mixup


class Config(dict):
    __getattr__ = dict.__getitem__


cfg = Config(epochs=40, batch=12, accumulation=5, lr=1e-3, alpha=0.4, folds=(1, 2, 3, 4), device="cuda")


def train_one(model, loader, optimizer, criterion):
    model.train()
    meter, n = 0.0, 0
    last = len(loader)
    for step, (wave, label) in enumerate(loader, 1):
        wave, label = wave.to(cfg.device), label.to(cfg.device)
        wave, label_a, label_b, lam = mixup(wave, label, cfg.alpha)
        out = model(wave)["clipwise"]
        loss = lam * criterion(out, label_a) + (1 - lam) * criterion(out, label_b)
        (loss / cfg.accumulation).backward()
        if step % cfg.accumulation == 0 or step == last:
            optimizer.step()
        optimizer.zero_grad()
        meter += loss.item() * wave.size(0)
        n += wave.size(0)
    return meter / n


def main():
    model = SEDModel("resnest50d", classes=397).to(cfg.device)
    loader = DataLoader(BirdDataset(cfg.folds), batch_size=cfg.batch, shuffle=True, num_workers=6)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, cfg.epochs)
    for epoch in range(cfg.epochs):
        print(epoch, train_one(model, loader, optimizer, nn.BCELoss()))
        scheduler.step()
    torch.save(model.state_dict(), "sed.pth")


if __name__ == "__main__":
    main()
