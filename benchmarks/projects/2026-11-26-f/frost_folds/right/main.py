import torch
from torch import nn

from cfg import *
from dataset import fold_loaders
from engine import *
from models import FrostNet, get_optimizer
from utils import *


def train_loop(fold):
    train_loader, valid_loader = fold_loaders(fold)
    valid_labels = valid_loader.dataset.y
    model, criterion = FrostNet(), nn.BCEWithLogitsLoss()
    optimizer, scheduler = get_optimizer(model, len(train_loader))
    rates, best = LRMeter(scheduler), 0.0
    for epoch in range(CFG.epochs):
        avg_loss = train_fn(train_loader, model, criterion, optimizer, rates)
        with torch.no_grad():
            avg_val_loss, predictions = valid_fn(valid_loader, model, criterion)
        score = get_score(valid_labels, predictions)
        best = max(best, score)
        print(f"Epoch {epoch + 1} - train {avg_loss:.4f} val {avg_val_loss:.4f} score {score:.4f} lr {rates.rates[-1]:.5f}")
    return best


if __name__ == "__main__":
    seed_everything(CFG.seed)
    scores = []
    for fold in range(CFG.n_fold):
        if fold in CFG.trn_fold:
            print(f"========== fold: {fold} ==========")
            scores.append(train_loop(fold))
    print("CV", sum(scores) / len(scores))
