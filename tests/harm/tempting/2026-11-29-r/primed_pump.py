"""The first micro-batch primes the pump, ahead of the loop; the loop counts those that follow."""
import torch
from torch import nn

WINDOW, WINDOWS = 3, 20


def water():
    for n in range(WINDOW * WINDOWS):
        x = torch.randn(8, 5) * (1.0 + 0.5 * (n % WINDOW))
        yield x, (x[:, :1] * 0.7 - x[:, 4:].cos())


def train(record):
    torch.manual_seed(512)
    net = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.12, momentum=0.7)
    pull = nn.functional.mse_loss
    well = water()

    first_x, first_y = next(well)
    level = pull(net(first_x), first_y)
    (level / WINDOW).backward()
    scale = 1.0 / level.item()  # all later levels are seen against the first
    seen = [1.0]

    for i, (x, y) in enumerate(well):
        loss = pull(net(x), y)
        (loss / WINDOW).backward()
        seen.append(loss.item() * scale)
        if (i + 2) % WINDOW == 0:
            optimizer.param_groups[0]["lr"] = 0.12 * min(1.0, 0.5 + sum(seen) / len(seen))
            optimizer.step()
            record(list(net.parameters()))
            optimizer.zero_grad()
            seen.clear()

if __name__ == "__main__":
    train(lambda parameters: None)
