import torch
from torch import nn


class PointNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.local = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 32))
        self.head = nn.Linear(32, classes)

    def forward(self, cloud):
        return self.head(self.local(cloud).max(dim=1).values)


def accumulate(net, cloud, label, share):
    loss = nn.functional.cross_entropy(net(cloud), label)
    (loss * share).backward()
    nn.utils.clip_grad_norm_(net.parameters(), 0.1)
    return loss.item()


net = PointNet()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
MICRO = 4
for update in range(15):
    opt.zero_grad()
    losses = []
    for _ in range(MICRO):
        cloud = torch.randn(6, 40, 3)
        label = torch.randint(0, 4, (6,))
        losses.append(accumulate(net, cloud, label, 1 / MICRO))
    opt.step()
    print("update", update, sum(losses) / MICRO)
