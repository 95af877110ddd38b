"""Self-supervised features in mixed precision, and a linear probe in full precision beside it."""
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 8))

    def forward(self, x):
        return nn.functional.normalize(self.net(x), dim=1)


def advance(optimizer, after):
    optimizer.step()
    after()
    optimizer.zero_grad(set_to_none=True)


def views(x):
    return x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x)


def contrast(a, b, temperature=0.2):
    return nn.functional.cross_entropy(a @ b.t() / temperature, torch.arange(len(a)))


def train(record):
    torch.manual_seed(12)
    encoder, probe = Encoder(), nn.Linear(8, 3)
    opt = torch.optim.SGD(encoder.parameters(), lr=0.05)
    probe_opt = torch.optim.SGD(probe.parameters(), lr=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=50)

    def after():
        record([*encoder.parameters(), *probe.parameters()])

    x = torch.randn(96, 10)
    y = x[:, :3].argmax(1)
    for epoch in range(3):
        for rows in torch.randperm(96).split(24):
            a, b = views(x[rows])
            loss = contrast(encoder(a), encoder(b))
            scaler.scale(loss).backward()
            advance(opt, after)

            with torch.no_grad():
                features = encoder(x[rows])
            miss = nn.functional.cross_entropy(probe(features), y[rows])
            miss.backward()
            advance(probe_opt, after)
        print(epoch, f"{loss.item():.4f} {miss.item():.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
