import torch
from torch import nn


def ascend(params, rho):
    norm = torch.norm(torch.stack([p.grad.norm() for p in params]))
    moves = []
    with torch.no_grad():
        for p in params:
            e = p.grad * (rho / (norm + 1e-12))
            p.add_(e)
            moves.append(e)
    return moves


def descend(params, moves):
    with torch.no_grad():
        for p, e in zip(params, moves):
            p.sub_(e)


def one_epoch(model, loss_fn, optimizer, loader, rho, record):
    params = [p for p in model.parameters() if p.requires_grad]
    seen, total = 0, 0.0
    for x, y in loader:
        first = loss_fn(model(x), y)
        first.backward()
        moves = ascend(params, rho)
        optimizer.zero_grad(set_to_none=True)
        loss_fn(model(x), y).backward()
        descend(params, moves)
        optimizer.step()
        record(params)
        optimizer.zero_grad(set_to_none=True)
        total += first.item() * len(x)
        seen += len(x)
    return total / seen


def train(record):
    torch.manual_seed(5)
    model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)
    loader = [(torch.randn(20, 10), torch.randint(0, 4, (20,))) for _ in range(7)]
    for epoch in range(3):
        one_epoch(model, nn.CrossEntropyLoss(), optimizer, loader, 0.05, record)


if __name__ == "__main__":
    train(lambda parameters: None)
