import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from config import CFG
from engine import train_fn, valid_fn
from schedulers import get_scheduler


def train_loop(fold, x, y):
    held_out = torch.arange(len(x)) % CFG.folds == fold
    train_loader = DataLoader(TensorDataset(x[~held_out], y[~held_out]), batch_size=CFG.batch_size, shuffle=True)
    valid_loader = DataLoader(TensorDataset(x[held_out], y[held_out]), batch_size=CFG.batch_size)
    model = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=CFG.lr)
    scheduler = get_scheduler(optimizer, len(train_loader))
    scaler = torch.amp.GradScaler("cuda", enabled=torch.cuda.is_available())
    criterion = nn.SmoothL1Loss()
    for epoch in range(CFG.epochs):
        avg = train_fn(train_loader, model, criterion, optimizer, scheduler, scaler)
        val = valid_fn(valid_loader, model, criterion)
        print(f"fold {fold} epoch {epoch} train {avg:.4f} valid {val:.4f} lr {scheduler.get_last_lr()[0]:.2e}")


if __name__ == "__main__":
    torch.manual_seed(CFG.seed)
    x = torch.randn(224, 20)
    y = x[:, :3].sum(1, keepdim=True) + 0.1 * torch.randn(224, 1)
    for fold in range(CFG.folds):
        train_loop(fold, x, y)
