"""Old maps in an archive: a net in half precision and a plain probe on its features."""
import torch
from torch import nn
from torch.nn import functional as F


def turn(optimizer):
    optimizer.step()
    optimizer.zero_grad()


def maps(count):
    gen = torch.Generator().manual_seed(37)
    for _ in range(count):
        sheet = torch.randn(10, 6, generator=gen)
        yield sheet, sheet[:, :3].sum(1, keepdim=True), (sheet[:, 5] > 0).long()


def train(record):
    torch.manual_seed(34)
    net, head = nn.Sequential(nn.Linear(6, 8), nn.Tanh()), nn.Linear(8, 1)
    probe = nn.Linear(8, 2)
    weights = [*net.parameters(), *head.parameters()]
    optimizer = torch.optim.SGD(weights, lr=0.02)
    probing = torch.optim.SGD(probe.parameters(), lr=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=16.0, growth_interval=1000)
    for sheet, scale_bar, coloured in maps(20):
        with torch.autocast("cpu", dtype=torch.float16):
            features = net(sheet)
            guess = head(features)
        scaler.scale(F.mse_loss(guess.float(), scale_bar)).backward()
        turn(optimizer)
        F.cross_entropy(probe(features.detach().float()), coloured).backward()
        turn(probing)
        record([*weights, *probe.parameters()])


if __name__ == "__main__":
    train(lambda parameters: None)
