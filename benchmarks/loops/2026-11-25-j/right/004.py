import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def fit(net, loader, opt, every, epochs):
    def update():
        opt.step()
        opt.zero_grad()

    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            if i > 0 and i % every == 0:
                update()
            loss = nn.functional.cross_entropy(net(x), y)
            (loss / every).backward()
        update()
        print(f"epoch {epoch} last loss {loss.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(104)
    ds = TensorDataset(torch.randn(66, 7), torch.randint(0, 3, (66,)))
    net = nn.Sequential(nn.Linear(7, 14), nn.Hardswish(), nn.Linear(14, 3))
    fit(net, DataLoader(ds, batch_size=6, shuffle=True), torch.optim.SGD(net.parameters(), lr=0.1), every=4, epochs=2)
