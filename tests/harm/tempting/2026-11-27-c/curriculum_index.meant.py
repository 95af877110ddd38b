import torch
from torch import nn


def noise_table(n):
    return torch.linspace(0.0, 0.5, n).tolist()


def train(record):
    torch.manual_seed(9)
    net = nn.Sequential(nn.Linear(6, 18), nn.ReLU(), nn.Linear(18, 6))
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    clean = list(torch.randn(12, 15, 6))
    sigma = noise_table(len(clean))
    group = 4
    errors = [0.0] * len(clean)
    for epoch in range(2):
        opt.zero_grad()
        for k, x in enumerate(clean):
            noisy = x + sigma[k] * torch.randn_like(x)
            loss = nn.functional.mse_loss(net(noisy), x)
            errors[k] = loss.item()
            (loss / group).backward()
            if (k + 1) % group == 0 or k + 1 == len(clean):
                for g in opt.param_groups:
                    g["lr"] = 4e-3 * (1 - sigma[k])
                opt.step()
                record(list(net.parameters()))
                opt.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
