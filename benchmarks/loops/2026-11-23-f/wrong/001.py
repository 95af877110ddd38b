import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--every", type=int, default=4)
parser.add_argument("--epochs", type=int, default=3)
opt = parser.parse_args()

torch.manual_seed(7)
data = TensorDataset(torch.randn(90, 6), torch.randint(0, 3, (90,)))
loader = DataLoader(data, batch_size=9, shuffle=True)

net = nn.Sequential(nn.Linear(6, 20), nn.GELU(), nn.Linear(20, 3))
sgd = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
ce = nn.CrossEntropyLoss()

for ep in range(opt.epochs):
    waiting = 0
    sgd.zero_grad()
    running = 0.0
    for xb, yb in loader:
        out = net(xb)
        loss = ce(out, yb)
        running += loss.item()
        sgd.zero_grad()
        (loss / opt.every).backward()
        waiting += 1
        if waiting == opt.every:
            sgd.step()
            waiting = 0
    if waiting:
        sgd.step()
    print(f"{ep}: {running / len(loader):.4f}")
