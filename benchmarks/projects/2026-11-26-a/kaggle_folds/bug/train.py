import numpy as np
import torch
import torch.nn as nn
from torch.optim import Adam
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader

from config import CFG
from dataset import TrainDataset, make_train
from helpers import train_fn, valid_fn
from model import CustomModel
from utils import seed_everything

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train_loop(features, target, folds, fold):
    trn, val = folds != fold, folds == fold
    train_loader = DataLoader(
        TrainDataset(features[trn], target[trn]), batch_size=CFG.batch_size, shuffle=True, drop_last=True
    )
    valid_loader = DataLoader(TrainDataset(features[val], target[val]), batch_size=CFG.batch_size * 2)

    model = CustomModel(CFG)
    model.to(device)
    model.train()
    optimizer = Adam(model.parameters(), lr=CFG.lr)
    scheduler = CosineAnnealingLR(optimizer, T_max=CFG.epochs, eta_min=CFG.min_lr)
    criterion = nn.BCEWithLogitsLoss()

    best_score, best_preds = 0.0, None
    for epoch in range(CFG.epochs):
        avg_loss = train_fn(fold, train_loader, model, criterion, optimizer, epoch, scheduler, device)
        avg_val_loss, preds = valid_fn(valid_loader, model, criterion, device)
        score = ((preds > 0.5) == target[val]).mean()
        print(f"Epoch {epoch + 1} - avg_train_loss: {avg_loss:.4f}  avg_val_loss: {avg_val_loss:.4f}  score: {score:.4f}")
        if score >= best_score:
            best_score, best_preds = score, preds
    return best_preds


def main():
    seed_everything(CFG.seed)
    features, target, folds = make_train()
    oof = np.zeros(len(target))
    for fold in CFG.trn_fold:
        oof[folds == fold] = train_loop(features, target, folds, fold)
    print("OOF mean:", oof.mean().round(4))


if __name__ == "__main__":
    main()
