import torch
from torch import nn

torch.manual_seed(0)
cell = nn.LSTMCell(2, 16)
out = nn.Linear(16, 2)
opt = torch.optim.RMSprop([*cell.parameters(), *out.parameters()], lr=3e-3)
signal = torch.randn(64, 4, 2).cumsum(0) / 8
K = 8
h = c = torch.zeros(4, 16)
window_loss, shown = 0, []
for t in range(63):
    h, c = cell(signal[t], (h, c))
    window_loss = window_loss + nn.functional.mse_loss(out(h), signal[t + 1])
    if (t + 1) % K == 0 or t == 62:
        loss = window_loss / (t % K + 1)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(cell.parameters(), 1.0)
        opt.step()
        shown.append(loss.item())
        h, c = h.detach(), c.detach()
        window_loss = 0
print(len(shown), shown[0], shown[-1])
