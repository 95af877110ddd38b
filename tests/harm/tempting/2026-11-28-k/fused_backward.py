"""Each parameter is updated as soon as its gradient is there, to save the memory of gradients."""
import torch
from torch import nn


def attach(model, rate, limit, record):
    optimizers = {p: torch.optim.Adam([p], lr=rate) for p in model.parameters()}

    def on_gradient(p):
        torch.nn.utils.clip_grad_norm_([p], limit)
        optimizers[p].step()
        record([p])
        optimizers[p].zero_grad()

    handles = [p.register_post_accumulate_grad_hook(on_gradient) for p in model.parameters()]
    return optimizers, handles


def synthetic(n=40, width=9):
    x = torch.randn(n, width)
    return x, torch.sin(x.sum(1, keepdim=True))


def train(record):
    torch.manual_seed(9)
    model = nn.Sequential(nn.Linear(9, 20), nn.ReLU(), nn.Linear(20, 20), nn.ReLU(), nn.Linear(20, 1))
    optimizers, handles = attach(model, rate=4e-3, limit=0.5, record=record)
    schedules = [torch.optim.lr_scheduler.ExponentialLR(o, 0.9) for o in optimizers.values()]
    x, y = synthetic()
    for epoch in range(5):
        total = 0.0
        for xb, yb in zip(x.split(10), y.split(10)):
            loss = nn.functional.mse_loss(model(xb), yb)
            loss.backward()
            total += loss.item() * len(xb)
        for schedule in schedules:
            schedule.step()
        print(epoch, f"{total / len(x):.4f}")
    for handle in handles:
        handle.remove()


if __name__ == "__main__":
    train(lambda parameters: None)
