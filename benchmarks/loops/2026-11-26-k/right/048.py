import torch
from torch import nn


class Tracker(nn.Module):
    def __init__(self, h=16):
        super().__init__()
        self.cell = nn.LSTMCell(1, h)
        self.out = nn.Linear(h, 1)

    def forward(self, x, state):
        h, c = self.cell(x, state)
        return self.out(h), (h, c)


def train(model, series, opt, k=8, epochs=3):
    for epoch in range(epochs):
        state = (torch.zeros(series.size(1), 16), torch.zeros(series.size(1), 16))
        total, chunk_loss = 0.0, 0.0
        for t in range(len(series) - 1):
            pred, state = model(series[t], state)
            chunk_loss += nn.functional.mse_loss(pred, series[t + 1]) / k
            if (t + 1) % k == 0 or t == len(series) - 2:
                opt.zero_grad()
                chunk_loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
                total += chunk_loss.item()
                chunk_loss = 0.0
                state = tuple(s.detach() for s in state)
        print(epoch, total)


torch.manual_seed(148)
t = torch.arange(49.0).view(-1, 1, 1)
series = torch.sin(t * (0.2 + 0.3 * torch.rand(1, 10, 1)))
model = Tracker()
train(model, series, torch.optim.Adam(model.parameters(), lr=0.01))
