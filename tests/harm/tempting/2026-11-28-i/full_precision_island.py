"""Features in bfloat16; the temperature-scaled contrastive part stays in float32."""
import torch
import torch.nn.functional as F
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(12, 24), nn.GELU(), nn.Linear(24, 8))
        self.log_scale = nn.Parameter(torch.tensor(1.5))

    def forward(self, x):
        return self.layers(x)


def contrast(a, b, scale):
    a, b = F.normalize(a, dim=1), F.normalize(b, dim=1)
    logits = scale * a @ b.T
    labels = torch.arange(len(a))
    return (F.cross_entropy(logits, labels) + F.cross_entropy(logits.T, labels)) / 2


def epoch(net, opt, views, bank, record):
    for first, second in views:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            a, b = net(first), net(second)
            with torch.no_grad():
                # the neighbours that are shown at the end of the epoch
                bank.append(net(first))
            with torch.autocast("cpu", enabled=False):
                loss = contrast(a.float(), b.float(), net.log_scale.exp())
                opt.zero_grad()
                loss.backward()
                opt.step()
                record(list(net.parameters()))


def train(record):
    torch.manual_seed(33)
    net = Encoder()
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    base = torch.randn(8, 16, 12)
    for _ in range(3):
        views = [(x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x)) for x in base]
        bank = []
        epoch(net, opt, views, bank, record)
        features = torch.cat(bank).float()
        print(features.std(0).mean().item())


if __name__ == "__main__":
    train(lambda parameters: None)
