import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))

    def forward(self, a, p, n):
        return nn.functional.triplet_margin_loss(self.body(a), self.body(p), self.body(n))


torch.manual_seed(233)
net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
n_acc = 5
triples = torch.randn(20, 3, 6, 8)
for step, (a, p, n) in enumerate(triples):
    loss = net(a, p, n) / n_acc
    loss.backward()
    if step % n_acc == 0 and step > -1:
        opt.step()
        opt.zero_grad()
opt.zero_grad()
print(loss.item() * n_acc)
