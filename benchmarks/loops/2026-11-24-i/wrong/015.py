import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 4, 3)
        self.drop = nn.Dropout(0.1)
        self.fc = nn.Linear(4 * 8, 2)

    def forward(self, x):
        return self.fc(self.drop(F.relu(self.conv(x))).flatten(1))


def validate(net, loader):
    net.eval()
    good = 0
    for x, y in loader:
        good += (net(x).argmax(1) == y).sum().item()
    return good / len(loader.dataset)


torch.manual_seed(23)
x = torch.randn(64, 1, 10)
y = (x.mean((1, 2)) > 0).long()
train, val = DataLoader(TensorDataset(x[:48], y[:48]), 8), DataLoader(TensorDataset(x[48:], y[48:]), 8)
net = Small()
opt = torch.optim.Adam(net.parameters())
for epoch in range(3):
    net.train()
    for a, b in train:
        opt.zero_grad()
        F.cross_entropy(net(a), b).backward()
        opt.step()
    print(validate(net, val))
