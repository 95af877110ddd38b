import torch
from torch import nn


def sam_epoch(model, loader, optimizer, rho=0.05, device="cpu"):
    criterion = nn.CrossEntropyLoss()
    params = [p for p in model.parameters() if p.requires_grad]
    model.train()
    total = seen = 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)

        loss = criterion(model(x), y)
        loss.backward()
        with torch.no_grad():
            norm = torch.linalg.vector_norm(torch.stack([p.grad.norm() for p in params]))
            ascent = [p.grad * (rho / (norm + 1e-12)) for p in params]
            for p, e in zip(params, ascent):
                p.add_(e)
        optimizer.zero_grad()

        criterion(model(x), y).backward()
        with torch.no_grad():
            for p, e in zip(params, ascent):
                p.sub_(e)
        optimizer.step()
        optimizer.zero_grad()

        total += loss.item() * len(y)
        seen += len(y)
    return total / seen


def main(cfg):
    model = cfg.make_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, cfg.epochs)
    for epoch in range(cfg.epochs):
        print(epoch, sam_epoch(model, cfg.loader, optimizer))
        scheduler.step()
