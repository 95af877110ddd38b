import torch
import torch.nn.functional as F
from torch import nn


def perturb(model, x, y, eps=0.1):
    x = x.clone().requires_grad_(True)
    loss = F.cross_entropy(model(x), y)
    (slope,) = torch.autograd.grad(loss, x)
    return (x + eps * slope.sign()).detach()


def robust_accuracy(model, batches):
    model.eval()
    right = seen = 0
    for x, y in batches:
        adversarial = perturb(model, x, y)
        with torch.no_grad():
            right += (model(adversarial).argmax(1) == y).sum().item()
        seen += len(y)
    return right / seen


def train_epoch(model, batches, optimizer, record):
    model.train()
    for x, y in batches:
        optimizer.zero_grad(set_to_none=True)
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        record(list(model.parameters()))


def make(count, generator):
    out = []
    for _ in range(count):
        x = torch.randn(16, 5, generator=generator)
        out.append((x, (x.sum(1) > 0).long()))
    return out


def train(record):
    torch.manual_seed(9)
    generator = torch.Generator().manual_seed(90)
    batches, held_out = make(6, generator), make(2, generator)
    model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.5)
    target = 0.9
    for epoch in range(3):
        train_epoch(model, batches, optimizer, record)
        score = robust_accuracy(model, held_out)
        print(epoch, score)
        if score < target:
            for group in optimizer.param_groups:
                group["lr"] *= 0.8


if __name__ == "__main__":
    train(lambda parameters: None)
