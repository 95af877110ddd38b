import math

from config import *
from dataset import make_loaders
from engine import train_one_epoch, valid_one_epoch
from models import FrostNet
from torch import nn
from torch.optim import AdamW
from torch.optim.lr_scheduler import CosineAnnealingLR


def run():
    seed_everything()
    trn, val = make_loaders()
    model = FrostNet()
    optimizer = AdamW(model.parameters(), lr=CFG.lr)
    updates = CFG.epochs * math.ceil(len(trn) / CFG.n_accumulate)
    scheduler = CosineAnnealingLR(optimizer, T_max=updates, eta_min=CFG.min_lr)
    criterion = nn.BCEWithLogitsLoss()
    best = 0.0
    for epoch in range(CFG.epochs):
        trn_loss = train_one_epoch(model, trn, criterion, optimizer, scheduler)
        val_loss, acc = valid_one_epoch(model, val, criterion)
        best = max(best, acc)
        print(f"Epoch {epoch + 1} - train {trn_loss:.4f} valid {val_loss:.4f} acc {acc:.4f}")
    print(f"best {best:.4f}")


if __name__ == "__main__":
    run()
