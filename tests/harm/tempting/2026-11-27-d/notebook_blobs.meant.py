# %%
import torch
from torch import nn, optim

# %%
def blobs(n):
    centers = torch.tensor([[2.0, 0.0], [-2.0, 1.0], [0.0, -2.0]])
    y = torch.randint(3, (n,))
    return centers[y] + torch.randn(n, 2), y


# %%
def check(net, x, y):
    net.eval()
    with torch.no_grad():
        accuracy = (net(x).argmax(1) == y).float().mean().item()
    net.train()
    return accuracy


# %%
def train(record):
    torch.manual_seed(48)
    x, y = blobs(128)
    x_val, y_val = blobs(40)
    x_val = 3 * x_val
    net = nn.Sequential(nn.Linear(2, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))
    opt = optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    net.train()
    for epoch in range(3):
        for xb, yb in zip(x.split(16), y.split(16)):
            opt.zero_grad()
            loss = criterion(net(xb), yb)
            loss.backward()
            opt.step()
            record(list(net.parameters()))
        print(epoch, check(net, x_val, y_val))


# %%
if __name__ == "__main__":
    train(lambda parameters: None)
