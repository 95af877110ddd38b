import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(154)


class TextNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 16)
        self.fc = nn.Linear(16, 2)

    def forward(self, ids):
        return self.fc(self.embed(ids).mean(1))


net = TextNet()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
EPS = 0.5
for step in range(12):
    ids = torch.randint(0, 50, (16, 8))
    labels = (ids.float().mean(1) > 24.5).long()

    F.cross_entropy(net(ids), labels).backward()
    table = net.embed.weight
    delta = EPS * table.grad / (table.grad.norm() + 1e-8)
    opt.zero_grad()

    table.data.add_(delta)
    adv_loss = F.cross_entropy(net(ids), labels)
    adv_loss.backward()
    table.data.sub_(delta)
    opt.step()
    opt.zero_grad()
    if step % 4 == 0:
        print(step, adv_loss.item())
