import statistics

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau

torch.manual_seed(36)
denoiser = nn.Sequential(nn.Conv1d(1, 8, 5, padding=2), nn.BatchNorm1d(8), nn.ReLU(), nn.Conv1d(8, 1, 5, padding=2))
opt = torch.optim.SGD(denoiser.parameters(), lr=0.1)
plateau = ReduceLROnPlateau(opt, factor=0.5, patience=1)
clean = torch.sin(torch.linspace(0, 12, 64) + 6 * torch.rand(60, 1)).unsqueeze(1)
train_x, val_x = clean[:40], clean[40:]


def noisy(x):
    return x + 0.3 * torch.randn_like(x)


def evaluate():
    denoiser.eval()
    val_losses = []
    for x in val_x.split(5):
        val_losses.append(F.mse_loss(denoiser(noisy(x)), x))
    denoiser.train()
    return torch.stack(val_losses).mean().item()


for epoch in range(4):
    train_losses = []
    for x in train_x[torch.randperm(40)].split(8):
        loss = F.mse_loss(denoiser(noisy(x)), x)
        opt.zero_grad()
        loss.backward()
        opt.step()
        train_losses.append(loss.item())
    val = evaluate()
    plateau.step(val)
    print(epoch, statistics.fmean(train_losses), val, opt.param_groups[0]["lr"])
