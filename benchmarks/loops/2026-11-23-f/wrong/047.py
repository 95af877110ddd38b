import torch
from torch import nn
from torch.nn.utils import clip_grad_value_
from torch.utils.data import DataLoader, TensorDataset


def step(model, optimizer, clip):
    optimizer.step()
    clip_grad_value_(model.parameters(), clip)
    optimizer.zero_grad(set_to_none=True)


def train(model, loader, epochs=2, n_acc=4, clip=0.1):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    criterion = nn.L1Loss()
    for epoch in range(epochs):
        model.train()
        k = 0
        for k, (x, y) in enumerate(loader, start=1):
            loss = criterion(model(x), y)
            (loss / n_acc).backward()
            if k % n_acc == 0:
                step(model, optimizer, clip)
        if k % n_acc != 0:
            step(model, optimizer, clip)
        print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(110, 3)
    net = nn.Sequential(nn.Linear(3, 12), nn.ReLU(), nn.Linear(12, 1))
    train(net, DataLoader(TensorDataset(x, x.square().sum(1, keepdim=True)), batch_size=10, shuffle=True))
