import torch
from torch import nn


class ScaledContrast(nn.Module):
    """NT-Xent over two views; what it returns is ready for the backward."""

    def __init__(self, scaler, temperature=0.5):
        super().__init__()
        self.scaler, self.temperature = scaler, temperature
        self.last = 0.0

    def forward(self, a, b):
        z = nn.functional.normalize(torch.cat([a, b]).float(), dim=1)
        logits = z @ z.T / self.temperature
        logits.fill_diagonal_(-1e4)
        n = len(a)
        partner = torch.cat([torch.arange(n) + n, torch.arange(n)])
        loss = nn.functional.cross_entropy(logits, partner)
        self.last = loss.item()
        return self.scaler.scale(loss)


def train(record):
    torch.manual_seed(121)
    encoder = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 6))
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.3, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=3)
    criterion = ScaledContrast(scaler)
    curve = []
    for _ in range(18):
        x = torch.randn(12, 10)
        views = x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x)
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            a, b = encoder(views[0]), encoder(views[1])
        loss = criterion(a, b)
        loss.backward()
        scaler.step(optimizer)
        scaler.update()
        record(list(encoder.parameters()))
        curve.append(criterion.last)
    return curve


if __name__ == "__main__":
    train(lambda parameters: None)
