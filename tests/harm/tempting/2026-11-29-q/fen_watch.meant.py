"""One backward fills two optimizers, which step one behind the other."""
import torch
from torch import nn


def train(record):
    torch.manual_seed(31)
    lens, cap = nn.Sequential(nn.Linear(3, 7), nn.Tanh()), nn.Linear(7, 1)
    every = [*lens.parameters(), *cap.parameters()]
    opts = [torch.optim.SGD(lens.parameters(), lr=0.1), torch.optim.Adagrad(cap.parameters(), lr=0.1)]
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0 ** 8, growth_interval=3)
    for n in range(40):
        x = torch.randn(8, 3)
        y = x.sin().sum(1, keepdim=True)
        for opt in opts:
            opt.zero_grad()
        scaler.scale(nn.functional.mse_loss(cap(lens(x)), y)).backward()
        for opt in opts:
            scaler.step(opt)
            record(every)
        scaler.update()


if __name__ == "__main__":
    train(lambda parameters: None)
