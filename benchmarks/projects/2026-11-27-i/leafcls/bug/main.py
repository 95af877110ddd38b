import numpy as np

from config import *
from engine import train_fn
from inference import valid_fn
from leaves import get_loaders
from net import LeafNet


def train_loop():
    train_loader, valid_loader = get_loaders()
    model = LeafNet(CFG.n_classes).to(CFG.device)
    criterion = nn.CrossEntropyLoss()
    optimizer, scheduler = get_optim(model)
    best = 0.0
    for epoch in range(CFG.epochs):
        lr = next_lr(scheduler)
        avg_loss = train_fn(train_loader, model, criterion, optimizer)
        running, preds, truth = valid_fn(valid_loader, model, criterion)
        acc = float((np.concatenate(preds) == np.concatenate(truth)).mean())
        best = max(best, acc)
        print(f"Epoch {epoch + 1} - lr: {lr:.5f} train: {avg_loss:.4f} valid: {running / 64:.4f} acc: {acc:.3f}")
    return best


if __name__ == "__main__":
    seed_everything()
    print("CV:", train_loop())
