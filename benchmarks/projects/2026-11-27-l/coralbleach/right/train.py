from config import *
from data import get_loaders
from engine import train_one_epoch
from infer import predict
from model import ReefNet


def run_fold():
    seed_everything()
    train_loader, valid_loader = get_loaders()
    model = ReefNet()
    optimizer = torch.optim.AdamW(model.parameters(), lr=CFG.lr)
    best = 0.0
    for epoch in range(CFG.epochs):
        avg = train_one_epoch(model, train_loader, optimizer)
        preds, truth = predict(model, valid_loader)
        acc = (preds == truth).float().mean().item()
        best = max(best, acc)
        print(f"epoch {epoch} | loss {avg:.4f} | acc {acc:.3f}")
    print(f"best {best:.3f}")


if __name__ == "__main__":
    run_fold()
