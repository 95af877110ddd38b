import torch
from torch import nn


class Amp:
    """Several parts of the loop want true gradients; whoever comes first unscales."""

    def __init__(self, optimizer, **options):
        self.optimizer = optimizer
        self.scaler = torch.amp.GradScaler("cpu", **options)
        self.true_size = False

    def unscale(self):
        if not self.true_size:
            self.scaler.unscale_(self.optimizer)
            self.true_size = True

    def step(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
        self.true_size = False


def noise_level(amp, net):
    amp.unscale()
    return torch.stack([p.grad.std() for p in net.parameters() if p.numel() > 1]).mean().item()


def clip(amp, net, limit):
    amp.unscale()
    nn.utils.clip_grad_norm_(net.parameters(), limit)


def train(record):
    torch.manual_seed(81)
    net = nn.Sequential(nn.Linear(4, 12), nn.ELU(), nn.Linear(12, 3))
    amp = Amp(torch.optim.SGD(net.parameters(), lr=0.2), init_scale=512.0)
    limit = 1.0
    for _ in range(22):
        x = torch.randn(18, 4)
        y = x.abs().argmax(1).clamp(max=2)
        with torch.autocast("cpu", dtype=torch.float16):
            scores = net(x)
        loss = nn.functional.cross_entropy(scores.float(), y)
        amp.scaler.scale(loss).backward()
        if noise_level(amp, net) > 0.1:
            limit = max(0.3, 0.9 * limit)
        clip(amp, net, limit)
        amp.step()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
