import torch
from torch import nn

torch.manual_seed(127)
cell, readout = nn.GRUCell(4, 16), nn.Linear(16, 4)
opt = torch.optim.Adam([*cell.parameters(), *readout.parameters()], lr=5e-3)
LENGTH = 12

for update in range(8):
    track = torch.randn(6, LENGTH + 1, 4).cumsum(1) * 0.3
    h = torch.zeros(6, 16)
    loss = 0.0
    for t in range(LENGTH):
        h = cell(track[:, t], h)
        loss += nn.functional.mse_loss(readout(h), track[:, t + 1] - track[:, t])
    loss = loss / LENGTH
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(cell.parameters(), 1.0)
    opt.step()
    print(f"update {update}: per-step loss {loss.item():.4f}")
