import torch
from torch import nn
import torch.nn.functional as F


class SemiSupervised:
    def __init__(self, lam=0.5):
        self.net = nn.Sequential(nn.Linear(10, 30), nn.ReLU(), nn.Dropout(0.2), nn.Linear(30, 3))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.lam = lam

    def supervised(self, x, y):
        loss = F.cross_entropy(self.net(x), y)
        loss.backward()
        return loss.item()

    def consistency(self, u):
        with torch.no_grad():
            target = F.softmax(self.net(u), dim=1)
        loss = F.mse_loss(F.softmax(self.net(u + 0.1 * torch.randn_like(u)), dim=1), target)
        (self.lam * loss).backward()
        return loss.item()

    def update(self, labelled, unlabelled):
        self.opt.zero_grad()
        sup = self.supervised(*labelled)
        cons = self.consistency(unlabelled)
        self.opt.step()
        return sup, cons


torch.manual_seed(149)
learner = SemiSupervised()
for step in range(12):
    x = torch.randn(12, 10)
    sup, cons = learner.update((x, x[:, :3].argmax(1)), torch.randn(48, 10))
    if step % 4 == 3:
        print(f"step {step}: supervised {sup:.3f} consistency {cons:.4f}")
