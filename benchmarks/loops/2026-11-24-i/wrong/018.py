import torch
from torch import nn

torch.manual_seed(37)
model = nn.LSTM(3, 8, batch_first=True)
proj = nn.Linear(8, 1)
weights = (p for m in (model, proj) for p in m.parameters())
optimizer = torch.optim.Adam(weights, lr=4e-3)

for it in range(25):
    seq = torch.randn(10, 7, 3)
    target = seq.sum((1, 2)).unsqueeze(1)
    optimizer.zero_grad()
    states, _ = model(seq)
    loss = (proj(states[:, -1]) - target).abs().mean()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(weights, 0.25)
    optimizer.step()
    if it % 8 == 0:
        print(it, loss.item())
