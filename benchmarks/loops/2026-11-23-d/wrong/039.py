import torch
import torch.nn.functional as F

from data import build_loader
from models import Net


@torch.autocast("cpu", dtype=torch.bfloat16)
def train_one_epoch(model, loader, optimizer):
    model.train()
    seen, total = 0, 0.0
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen += len(y)
        total += loss.item() * len(y)
    return total / seen


def main():
    model = Net(width=256)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4)
    loader = build_loader("train", batch_size=64)
    for epoch in range(3):
        print("epoch", epoch, "loss", train_one_epoch(model, loader, optimizer))
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, "last.pt")


if __name__ == "__main__":
    main()
