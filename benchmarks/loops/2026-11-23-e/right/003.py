import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(2)

WINDOW = 5
UPDATES = 14


class Bilinear(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = nn.Linear(7, 12), nn.Linear(7, 12)
        self.b = nn.Bilinear(12, 12, 3)

    def forward(self, p, q):
        return self.b(torch.relu(self.left(p)), torch.relu(self.right(q)))


def pairs(n):
    p, q = torch.randn(n, 7), torch.randn(n, 7)
    dot = (p * q).sum(-1)
    return p, q, (dot > 1).long() + (dot > -1).long()


def average_gradients(parameters, count):
    for p in parameters:
        if p.grad is not None:
            p.grad.div_(count)


net = Bilinear()
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)

for update in range(UPDATES):
    opt.zero_grad()
    log = 0.0
    for _ in range(WINDOW):
        p, q, label = pairs(16)
        loss = F.cross_entropy(net(p, q), label)
        loss.backward()
        log += loss.item()
    average_gradients(net.parameters(), WINDOW)
    nn.utils.clip_grad_norm_(net.parameters(), 2.0)
    opt.step()
    if update % 4 == 0:
        print(f"update {update} loss {log / WINDOW:.3f}")
