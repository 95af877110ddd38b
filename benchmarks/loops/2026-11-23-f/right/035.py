import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.cell = nn.GRUCell(d, h)
        self.out = nn.Linear(h, d)

    def forward(self, x, h):
        h = self.cell(x, h)
        return self.out(h), h


torch.manual_seed(1)
model = Cell(3, 10)
optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)
history = []
for it in range(15):
    seq = torch.randn(8, 7, 3).cumsum(1)
    h = torch.zeros(8, 10)
    loss = 0
    for t in range(seq.size(1) - 1):
        pred, h = model(seq[:, t], h)
        loss += nn.functional.mse_loss(pred, seq[:, t + 1])
    loss = loss / (seq.size(1) - 1)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    history.append(loss.item())
print(history[0], history[-1])
