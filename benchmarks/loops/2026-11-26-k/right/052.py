import torch
from torch import nn
from torch.nn import functional as F


def fgsm(model, x, y, eps):
    x = x.clone().requires_grad_(True)
    loss = F.cross_entropy(model(x), y)
    (grad,) = torch.autograd.grad(loss, x)
    return (x + eps * grad.sign()).detach()


def robust_accuracy(model, batches, eps=0.1):
    model.eval()
    right = total = 0
    for x, y in batches:
        adv = fgsm(model, x, y, eps)
        with torch.no_grad():
            right += (model(adv).argmax(1) == y).sum().item()
        total += len(y)
    return right / total


def main():
    torch.manual_seed(152)
    x = torch.randn(320, 12)
    y = (x[:, :3].sum(1) > 0).long()
    model = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 2))
    opt = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.5)
    held_out = list(zip(x[256:].split(32), y[256:].split(32)))
    for epoch in range(4):
        model.train()
        for xb, yb in zip(x[:256].split(32), y[:256].split(32)):
            opt.zero_grad()
            F.cross_entropy(model(xb), yb).backward()
            opt.step()
        print(epoch, robust_accuracy(model, held_out))


main()
