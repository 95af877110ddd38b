import torch
from torch import nn


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 5))

    def forward(self, a, b):
        return nn.functional.pairwise_distance(self.f(a), self.f(b))


def contrastive(dist, same, margin=1.0):
    return (same * dist.square() + (1 - same) * (margin - dist).clamp(min=0).square()).mean()


torch.manual_seed(130)
net = Siamese()
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
steps = 0
while steps < 40:
    for k in range(4):
        a = torch.randn(16, 10)
        same = torch.randint(0, 2, (16,)).float()
        b = torch.where(same[:, None] > 0, a + 0.1 * torch.randn_like(a), torch.randn_like(a))
        loss = contrastive(net(a, b), same)
        (0.25 * loss).backward()
    opt.step()
    opt.zero_grad()
    steps += 4
print(steps, loss.item())
