"""Short warm-up with an update for each batch, then updates of four."""
import torch
from torch import nn

WINDOW = 4


def push(model, loss):
    loss.backward()
    return nn.utils.clip_grad_norm_(model.parameters(), 0.5)


def source(seed, count):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(count):
        x = torch.randn(10, 5, generator=gen)
        yield x, 4 * x[:, :2] * x[:, 2:4]


def warm_up(model, opt, record):
    for x, y in source(seed=1, count=6):
        opt.zero_grad()
        norm = push(model, nn.functional.mse_loss(model(x), y))
        opt.step()
        record(list(model.parameters()))
        print(f"warm-up {norm:.2f}")


def main_phase(model, opt, record):
    opt.zero_grad()
    for n, (x, y) in enumerate(source(seed=2, count=32), start=1):
        loss = nn.functional.mse_loss(model(x), y)
        push(model, loss / WINDOW)
        if n % WINDOW == 0:
            opt.step()
            record(list(model.parameters()))
            opt.zero_grad()


def train(record):
    torch.manual_seed(55)
    model = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Linear(20, 2))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    warm_up(model, opt, record)
    main_phase(model, opt, record)


if __name__ == "__main__":
    train(lambda parameters: None)
