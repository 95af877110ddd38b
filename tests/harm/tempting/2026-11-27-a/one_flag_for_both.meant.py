import torch
import torch.nn.functional as F


class Matcher(torch.nn.Module):
    def __init__(self, dim=6):
        super().__init__()
        self.left = torch.nn.Linear(dim, 8)
        self.right = torch.nn.Linear(dim, 8)
        self.heat = torch.nn.Parameter(torch.tensor(1.0))

    def forward(self, a, b):
        a, b = F.normalize(self.left(a), dim=1), F.normalize(self.right(b), dim=1)
        return self.heat.exp() * a @ b.T


def contrast(scores):
    goal = torch.arange(len(scores))
    return 0.5 * (F.cross_entropy(scores, goal) + F.cross_entropy(scores.T, goal))


def run_epoch(model, optimizer, pairs, window, record):
    model.train()
    total = 0.0
    for i, (a, b) in enumerate(pairs):
        opens = i % window == 0
        if opens:
            optimizer.zero_grad()
        loss = contrast(model(a, b))
        (loss / window).backward()
        total += loss.item()
        if (i + 1) % window == 0 or i + 1 == len(pairs):
            optimizer.step()
            record(list(model.parameters()))
    return total / len(pairs)


def train(record):
    torch.manual_seed(207)
    turn = torch.linalg.qr(torch.randn(6, 6))[0]
    pairs = []
    for _ in range(9):
        a = torch.randn(10, 6)
        pairs.append((a, a @ turn + 0.2 * torch.randn(10, 6)))
    model = Matcher()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.7)
    for _ in range(3):
        run_epoch(model, optimizer, pairs, 3, record)


if __name__ == "__main__":
    train(lambda parameters: None)
