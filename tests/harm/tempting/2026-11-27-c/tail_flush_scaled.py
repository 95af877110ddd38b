import torch
from torch import nn
from torch.amp import GradScaler


def flush(model, opt, record):
    opt.step()
    record(list(model.parameters()))
    opt.zero_grad()


def train_epoch(model, loader, opt, scaler, accum, record):
    opt.zero_grad()
    pending = 0
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y) / accum
        scaler.scale(loss).backward()
        pending += 1
        if pending == accum:
            scaler.step(opt)
            record(list(model.parameters()))
            scaler.update()
            opt.zero_grad()
            pending = 0
    if pending:
        flush(model, opt, record)


def train(record):
    torch.manual_seed(70)
    model = nn.Sequential(nn.Linear(3, 14), nn.Sigmoid(), nn.Linear(14, 1))
    opt = torch.optim.Adam(model.parameters(), lr=1e-2, eps=1e-3)
    scaler = GradScaler("cpu", init_scale=1024.0, growth_interval=3)
    loader = [(x, x.norm(dim=1, keepdim=True)) for x in torch.randn(11, 10, 3)]
    for epoch in range(3):
        train_epoch(model, loader, opt, scaler, 3, record)


if __name__ == "__main__":
    train(lambda parameters: None)
