import math

import numpy as np
import torch
from torch.utils.data import DataLoader

from config import CFG
from dataset import EssayDataset, load_essays
from engine import EssayModel, train_fn, valid_fn
from utils import mcrmse, seed_everything


def train_loop(tokens, scores, folds, fold):
    inside, outside = folds != fold, folds == fold
    train_loader = DataLoader(EssayDataset(tokens[inside], scores[inside]), CFG.batch_size, shuffle=True)
    valid_loader = DataLoader(EssayDataset(tokens[outside], scores[outside]), CFG.batch_size)
    model = EssayModel()
    optimizer = torch.optim.AdamW(model.parameters(), lr=CFG.lr)
    updates = CFG.epochs * math.ceil(len(train_loader) / CFG.gradient_accumulation_steps)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.2, total_iters=updates)
    best = float("inf")
    for epoch in range(CFG.epochs):
        loss = train_fn(train_loader, model, torch.nn.SmoothL1Loss(), optimizer, scheduler)
        score = mcrmse(scores[outside], valid_fn(valid_loader, model))
        best = min(best, score)
        print(f"fold {fold} epoch {epoch} loss {loss:.4f} mcrmse {score:.4f}")
    return best


if __name__ == "__main__":
    seed_everything(CFG.seed)
    essays = load_essays()
    print("CV", np.mean([train_loop(*essays, fold) for fold in CFG.trn_fold]))
