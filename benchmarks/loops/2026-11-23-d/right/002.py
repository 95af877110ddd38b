import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def step_and_clear(optimizer, model, limit):
    norm = nn.utils.clip_grad_norm_(model.parameters(), limit)
    optimizer.step()
    optimizer.zero_grad()
    return norm


def train_one_epoch(model, loader, optimizer, window, limit=1.0):
    model.train()
    pending = 0
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        (loss / window).backward()
        pending += 1
        if pending == window:
            step_and_clear(optimizer, model, limit)
            pending = 0
    if pending:  # leftover micro-batches
        step_and_clear(optimizer, model, limit)
    return loss.item()


if __name__ == "__main__":
    data = TensorDataset(torch.randn(130, 10), torch.randint(0, 4, (130,)))
    loader = DataLoader(data, batch_size=10, shuffle=True)
    model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 4))
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(3):
        print(epoch, train_one_epoch(model, loader, optimizer, window=4))
