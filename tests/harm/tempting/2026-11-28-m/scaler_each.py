"""A small GAN under mixed precision: each side keeps a loss scale of its own."""
import torch
from torch import nn
from torch.nn import functional as F


def side(net, lr):
    opt = torch.optim.SGD(net.parameters(), lr=lr)
    return {"net": net, "opt": opt, "scaler": torch.amp.GradScaler("cpu", init_scale=256.0)}


def turn(one, loss, record):
    one["opt"].zero_grad()
    one["scaler"].scale(loss).backward()
    one["scaler"].step(one["opt"])
    record(list(one["net"].parameters()))


def train(record):
    torch.manual_seed(11)
    sides = {
        "gen": side(nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2)), 0.05),
        "disc": side(nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(), nn.Linear(8, 1)), 0.05),
    }
    gen, disc = sides["gen"]["net"], sides["disc"]["net"]
    for _ in range(10):
        real = torch.randn(16, 2) * 0.5 + 1.0
        noise = torch.randn(16, 3)
        with torch.autocast("cpu", dtype=torch.float16):
            fake = gen(noise)
            out = disc(real), disc(fake.detach())
        turn(sides["disc"], F.softplus(-out[0].float()).mean() + F.softplus(out[1].float()).mean(), record)
        with torch.autocast("cpu", dtype=torch.float16):
            fooled = disc(gen(noise))
        turn(sides["gen"], F.softplus(-fooled.float()).mean(), record)
        for one in sides.values():
            one["scaler"].update()


if __name__ == "__main__":
    train(lambda parameters: None)
