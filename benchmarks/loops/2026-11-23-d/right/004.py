import torch
from torch import nn


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(30, 6)
        self.dec = nn.Linear(6, 30)

    def forward(self, x):
        return self.dec(torch.relu(self.enc(x)))


def noisy(x, p=0.2):
    return x * (torch.rand_like(x) > p)


config = {"iters": 48, "accum": 4, "lr": 3e-3}
basis = torch.randn(6, 30)
model = Autoencoder()
opt = torch.optim.NAdam(model.parameters(), lr=config["lr"])

for i in range(config["iters"]):
    phase = i % config["accum"]
    if phase == 0:
        opt.zero_grad()
    clean = torch.randn(16, 6) @ basis
    loss = nn.functional.mse_loss(model(noisy(clean)), clean)
    (loss / config["accum"]).backward()
    if phase == config["accum"] - 1:
        opt.step()
        print(f"iter {i + 1} loss {loss.item():.3f}")
