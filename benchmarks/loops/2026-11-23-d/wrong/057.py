import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def dataset(n):
    x = torch.randn(n, 8)
    return TensorDataset(x, (x[:, 0] > x[:, 1]).long())


accelerator = Accelerator(cpu=True)
net = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.1), nn.Linear(16, 2))
opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
net, opt, train, val = accelerator.prepare(
    net, opt, DataLoader(dataset(160), batch_size=16, shuffle=True), DataLoader(dataset(64), batch_size=32)
)
for epoch in range(3):
    net.train()
    for x, y in train:
        opt.zero_grad()
        accelerator.backward(nn.functional.cross_entropy(net(x), y))
        opt.step()
        accelerator.clip_grad_norm_(net.parameters(), 1.0)
    net.eval()
    hits = []
    for x, y in val:
        guess = net(x).argmax(-1)
        hits.append(accelerator.gather_for_metrics((guess == y).float()))
    accelerator.print(epoch, torch.cat(hits).mean().item())
