import torch
from torch import nn

RHO = 0.05


def climb(params):
    norm = torch.stack([p.grad.norm() for p in params]).norm() + 1e-12
    moves = []
    with torch.no_grad():
        for p in params:
            move = p.grad * (RHO / norm)
            p.add_(move)
            moves.append(move)
    return moves


def descend(params, moves):
    with torch.no_grad():
        for p, move in zip(params, moves):
            p.sub_(move)


def train(record):
    torch.manual_seed(40)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-3)
    params = list(model.parameters())
    images, labels = torch.randn(5, 20, 8), torch.randint(0, 4, (5, 20))

    for epoch in range(3):
        for x, y in zip(images, labels):
            criterion(model(x), y).backward()
            moves = climb(params)
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            descend(params, moves)
            optimizer.step()
            record(params)
            optimizer.zero_grad()
        print(epoch, loss.item())


if __name__ == "__main__":
    train(lambda parameters: None)
