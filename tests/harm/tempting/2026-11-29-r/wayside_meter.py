"""A meter beside the network learns from every micro-batch, the network from four at a time."""
import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

ACCUM, UPDATES = 4, 22


def cool(n):
    return 1.0 / (1.0 + 0.2 * n)


def train(record):
    torch.manual_seed(404)
    body = nn.Sequential(nn.Linear(5, 14), nn.Tanh())
    head, meter = nn.Linear(14, 1), nn.Linear(14, 1)
    everything = [*body.parameters(), *head.parameters(), *meter.parameters()]
    optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1, momentum=0.9)
    metering = torch.optim.SGD(meter.parameters(), lr=0.3)
    cooling = LambdaLR(metering, cool)
    for i in range(ACCUM * UPDATES):
        x = torch.randn(8, 5)
        y = (x[:, :1] * x[:, 1:2]).tanh()
        features = body(x)
        loss = nn.functional.mse_loss(head(features), y)
        (loss / ACCUM).backward()

        metering.zero_grad()
        nn.functional.mse_loss(meter(features.detach()), x.norm(dim=1, keepdim=True)).backward()
        metering.step()
        record(everything)
        cooling.step()

        if (i + 1) % ACCUM == 0:
            optimizer.step()
            record(everything)
            optimizer.zero_grad()

if __name__ == "__main__":
    train(lambda parameters: None)
