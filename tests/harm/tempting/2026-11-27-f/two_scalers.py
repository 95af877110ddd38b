import torch
import torch.nn.functional as F
from torch import nn


def mlp(inside, outside):
    return nn.Sequential(nn.Linear(inside, 16), nn.LeakyReLU(0.2), nn.Linear(16, outside))


def real_points(n):
    turn = torch.rand(n) * 6.2832
    return torch.stack([turn.cos(), 0.5 * turn.sin()], dim=1)


def train(record):
    torch.manual_seed(605)
    painter, judge = mlp(4, 2), mlp(2, 1)
    opt_p = torch.optim.SGD(painter.parameters(), lr=0.05)
    opt_j = torch.optim.SGD(judge.parameters(), lr=0.05)
    scaler_p = torch.amp.GradScaler("cpu", init_scale=2.0**10, growth_interval=3)
    scaler_j = torch.amp.GradScaler("cpu", init_scale=2.0**14, growth_interval=5)
    everything = [*painter.parameters(), *judge.parameters()]
    ones, zeros = torch.ones(16, 1), torch.zeros(16, 1)

    for epoch in range(3):
        for _ in range(6):
            fake = painter(torch.randn(16, 4))
            opt_j.zero_grad()
            loss_j = F.binary_cross_entropy_with_logits(judge(real_points(16)), ones)
            loss_j = loss_j + F.binary_cross_entropy_with_logits(judge(fake.detach()), zeros)
            scaler_j.scale(loss_j).backward()
            scaler_j.step(opt_j)
            record(everything)

            opt_p.zero_grad()
            for p in judge.parameters():
                p.requires_grad_(False)
            loss_p = F.binary_cross_entropy_with_logits(judge(fake), ones)
            scaler_p.scale(loss_p).backward()
            for p in judge.parameters():
                p.requires_grad_(True)
            scaler_p.step(opt_p)
            record(everything)

            for scaler in (scaler_j, scaler_p):
                scaler.update()
        print(epoch, loss_j.item(), loss_p.item(), scaler_j.get_scale(), scaler_p.get_scale())


if __name__ == "__main__":
    train(lambda parameters: None)
