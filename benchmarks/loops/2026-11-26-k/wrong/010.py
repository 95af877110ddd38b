import torch
from torch import nn


def train_split(model, data, opt, micro=4):
    """Process a large batch in pieces so that it fits."""
    criterion = nn.SmoothL1Loss()
    for signal, target in data:
        opt.zero_grad()
        values = []
        for s, t in zip(signal.chunk(micro), target.chunk(micro)):
            err = criterion(model(s), t)
            err.backward()
            values.append(err.item())
        opt.step()
    return sum(values) / len(values)


def main():
    gen = torch.Generator().manual_seed(21)
    t = torch.linspace(0, 6.28, 32)
    data = []
    for _ in range(6):
        phase = torch.rand(64, 1, generator=gen) * 3
        data.append((torch.sin(t + phase), phase))
    model = nn.Sequential(nn.Linear(32, 24), nn.Tanh(), nn.Linear(24, 1))
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    for epoch in range(5):
        print("phase error", train_split(model, data, opt))


if __name__ == "__main__":
    main()
