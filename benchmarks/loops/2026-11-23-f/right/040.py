import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(100, 5)
y = (x[:, 0] * x[:, 1] > 0).long()
train = DataLoader(TensorDataset(x[:80], y[:80]), batch_size=16, shuffle=True)
net = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Dropout(0.2), nn.Linear(20, 2))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)


def score():
    was_training = net.training
    net.eval()
    with torch.no_grad():
        acc = (net(x[80:]).argmax(1) == y[80:]).float().mean().item()
    net.train(was_training)
    return acc


for epoch in range(4):
    print(epoch, score())
    for xb, yb in train:
        opt.zero_grad()
        nn.functional.cross_entropy(net(xb), yb).backward()
        opt.step()
print("final", score())
