import torch
from torch import nn


def mixup(x, y, alpha=0.3):
    lam = torch.distributions.Beta(alpha, alpha).sample()
    perm = torch.randperm(len(x))
    return lam * x + (1 - lam) * x[perm], y, y[perm], lam


def main():
    torch.manual_seed(2)
    xs, ys = torch.randn(120, 8), torch.randint(0, 5, (120,))
    model = nn.Sequential(nn.Linear(8, 32), nn.PReLU(), nn.Linear(32, 5))
    opt = torch.optim.NAdam(model.parameters(), lr=1e-2)
    ce = nn.CrossEntropyLoss()
    for epoch in range(3):
        seen = total = 0
        for xb, yb in zip(xs.split(24), ys.split(24)):
            mixed, ya, yb2, lam = mixup(xb, yb)
            logits = model(mixed)
            loss = lam * ce(logits, ya) + (1 - lam) * ce(logits, yb2)
            loss.backward()
            model.zero_grad()
            opt.step()
            total += loss.item() * len(xb)
            seen += len(xb)
        print(epoch, total / seen)


main()
