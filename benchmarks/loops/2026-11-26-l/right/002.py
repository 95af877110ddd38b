import math
import torch
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_

torch.manual_seed(1)
rnn = torch.nn.LSTM(4, 20, batch_first=True)
readout = torch.nn.Linear(20, 1)
weights = list(rnn.parameters()) + list(readout.parameters())
optim = torch.optim.Adam(weights, lr=3e-3)
norms = []
seq = torch.randn(2, 120, 4)
target = seq.sum(-1, keepdim=True).cumsum(1) / 10
carry = None
for t in range(0, 120, 20):
    out, carry = rnn(seq[:, t:t + 20], carry)
    carry = tuple(c.detach() for c in carry)
    loss = F.mse_loss(readout(out), target[:, t:t + 20])
    optim.zero_grad()
    loss.backward()
    clip_grad_norm_(weights, 1.0)
    optim.step()
    norms.append(clip_grad_norm_(weights, math.inf).item())
    print(t, round(loss.item(), 4), f"|g|={norms[-1]:.3f}")
