import torch
from torch import nn

torch.manual_seed(49)
hidden = 20
rnn = nn.LSTM(1, hidden, batch_first=True)
proj = nn.Linear(hidden, 1)
weights = list(rnn.parameters()) + list(proj.parameters())
opt = torch.optim.Adam(weights, lr=5e-3)
signal = torch.sin(torch.arange(0, 60, 0.2)).view(1, -1, 1)
BPTT = 30

for epoch in range(3):
    state, total = None, 0.0
    for t in range(0, signal.size(1) - BPTT - 1, BPTT):
        x, y = signal[:, t : t + BPTT], signal[:, t + 1 : t + BPTT + 1]
        out, state = rnn(x, state)
        state = tuple(s.detach() for s in state)
        loss = nn.functional.mse_loss(proj(out), y)
        opt.zero_grad()
        nn.utils.clip_grad_norm_(weights, 0.25)
        loss.backward()
        opt.step()
        total += loss.item()
    print(f"epoch {epoch} mse {total:.4f}")
