import torch
from torch import nn

torch.manual_seed(0)

EPS, STEP, ROUNDS = 0.2, 0.1, 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 3))

    def forward(self, x):
        return self.layers(x)


def attack(model, criterion, x, y):
    delta = torch.zeros_like(x).uniform_(-EPS, EPS).requires_grad_(True)
    for _ in range(ROUNDS):
        loss = criterion(model(x + delta), y)
        loss.backward()
        with torch.no_grad():
            delta.add_(STEP * delta.grad.sign()).clamp_(-EPS, EPS)
        delta.grad.zero_()
    return (x + delta).detach()


def train(record):
    torch.manual_seed(15)
    model, criterion = Net(), nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1, 2], gamma=0.3)
    loader = [(torch.randn(14, 10), torch.randint(0, 3, (14,))) for _ in range(7)]
    for epoch in range(3):
        for x, y in loader:
            adversarial = attack(model, criterion, x, y)
            logits = model(torch.cat([x, adversarial]))
            loss = criterion(logits, torch.cat([y, y]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            record(list(model.parameters()))
        scheduler.step()


if __name__ == "__main__":
    train(lambda parameters: None)
