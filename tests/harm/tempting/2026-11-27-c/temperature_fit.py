import torch
from torch import nn


class Calibrated(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Dropout(0.1), nn.Linear(24, 3))
        self.temperature = nn.Parameter(torch.ones(()))

    def forward(self, x):
        return self.net(x)


def calibrate(model, held_out, opt, record):
    model.eval()
    total = 0.0
    for x, y in held_out:
        logits = model(x)
        opt.zero_grad()
        loss = nn.functional.cross_entropy(logits.detach() / model.temperature, y)
        loss.backward()
        opt.step()
        record(list(model.parameters()))
        total += loss.item()
    return total / len(held_out)


def fit(model, batches, opt, record):
    model.train()
    for x, y in batches:
        opt.zero_grad()
        nn.functional.cross_entropy(model(x), y, label_smoothing=0.1).backward()
        opt.step()
        record(list(model.parameters()))


def train(record):
    torch.manual_seed(83)
    model = Calibrated()
    rows = [(torch.randn(15, 5), torch.randint(0, 3, (15,))) for _ in range(9)]
    weights_opt = torch.optim.AdamW(model.net.parameters(), lr=1e-2)
    temperature_opt = torch.optim.SGD([model.temperature], lr=0.05)
    history = []
    for epoch in range(3):
        fit(model, rows[:6], weights_opt, record)
        history.append(calibrate(model, rows[6:], temperature_opt, record))


if __name__ == "__main__":
    train(lambda parameters: None)
