import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
GRAD_ACC_STEPS = 4

wave = torch.sin(torch.arange(64).float() * torch.rand(48, 1))
tags = (wave.abs().mean(1) > 0.5).long()
loader = DataLoader(TensorDataset(wave.unsqueeze(1), tags), batch_size=4)

tagger = nn.Sequential(
    nn.Conv1d(1, 6, 9, stride=4),
    nn.ReLU(),
    nn.AdaptiveAvgPool1d(4),
    nn.Flatten(),
    nn.Linear(24, 2),
)
optimizer = torch.optim.SGD(tagger.parameters(), lr=0.05, weight_decay=1e-4)

n_updates = math.ceil(len(loader) / GRAD_ACC_STEPS)
for epoch in range(2):
    optimizer.zero_grad()
    total_loss = 0.0
    for batch_idx, (x, t) in enumerate(loader):
        loss = nn.functional.cross_entropy(tagger(x), t)
        loss.backward()
        total_loss += loss.item() / GRAD_ACC_STEPS
        if (batch_idx + 1) % GRAD_ACC_STEPS == 0 or batch_idx + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
    print(f"epoch {epoch}: {total_loss / n_updates:.4f} in {n_updates} updates")
