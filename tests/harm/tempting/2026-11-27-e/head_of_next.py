import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR

torch.set_num_threads(1)


def stream(seed, count):
    rng = torch.Generator().manual_seed(seed)
    for _ in range(count):
        x = torch.randn(14, 3, generator=rng)
        yield x, torch.sin(x).sum(1, keepdim=True)


def train(record):
    torch.manual_seed(12)
    net = nn.Sequential(nn.Linear(3, 14), nn.SiLU(), nn.Linear(14, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9, nesterov=True)
    schedule = ExponentialLR(optimizer, gamma=0.9)
    updates = 0
    curve = []
    for epoch in range(3):
        for x, y in stream(100 + epoch, 5):
            if updates > 0:
                schedule.step()
            rate = schedule.get_last_lr()[0]
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(x), y) + 0.001 * rate * net[0].weight.square().sum()
            loss.backward()
            optimizer.step()
            updates += 1
            record(list(net.parameters()))
            curve.append((rate, loss.item()))
        print(f"epoch {epoch}", " ".join(f"{rate:.3f}:{value:.3f}" for rate, value in curve[-5:]))


if __name__ == "__main__":
    train(lambda parameters: None)
