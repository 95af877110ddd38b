import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WINDOW = 4


def epoch(model, loader, optimizer):
    model.train()
    running = 0.0
    for n, (x, y) in enumerate(loader, 1):
        loss = nn.functional.l1_loss(model(x), y)
        (loss / WINDOW).backward()
        running += loss.item()
        if n % WINDOW == 0:
            optimizer.step()
            optimizer.zero_grad()
    return running / n


def main():
    torch.manual_seed(8)
    ds = TensorDataset(torch.randn(70, 4), torch.randn(70, 1))
    loader = DataLoader(ds, batch_size=5)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    for e in range(3):
        print(e, epoch(model, loader, optimizer))


main()
