import torch
from data import build_loader
from models import Net


@torch.no_grad()
def evaluate(net, loader):
    net.eval()
    right, count = 0, 0
    for x, y in loader:
        right += (net(x).argmax(-1) == y).sum().item()
        count += y.numel()
    return right / count


net = Net(dropout=0.3)
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
train, val = build_loader("train"), build_loader("val")
best = 0.0

net.train()
for epoch in range(5):
    for x, y in train:
        loss = torch.nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    acc = evaluate(net, val)
    if acc > best:
        best = acc
        torch.save(net.state_dict(), "best.pth")
    print(f"{epoch}: {acc:.3f} (best {best:.3f})")
