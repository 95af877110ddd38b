import torch

from config import *
from dataset import kfold, load_train, make_loader
from engine import train_fn, valid_fn
from model import TabNN


def run_fold(fold, X, y, trn, val):
    train_loader = make_loader(X[trn], y[trn], True)
    valid_loader = make_loader(X[val], y[val], False)
    model = TabNN(X.shape[1])
    optimizer = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=1e-2)
    best = 0.0
    for epoch in range(EPOCHS):
        avg = train_fn(train_loader, model, optimizer)
        val_loss, acc = valid_fn(valid_loader, model)
        best = max(best, acc)
        print(f"fold {fold} ep {epoch} train {avg:.4f} valid {val_loss:.4f} acc {acc:.4f}")
    return best


if __name__ == "__main__":
    torch.manual_seed(SEED)
    X, y = load_train()
    scores = [run_fold(f, X, y, trn, val) for f, (trn, val) in enumerate(kfold(len(X)))]
    print("CV", sum(scores) / len(scores))
