import torch
from torch import nn

torch.manual_seed(229)
enc = nn.GRU(6, 10, batch_first=True)
dec = nn.GRU(6, 10, batch_first=True)
vocab = nn.Linear(10, 6)
e_opt = torch.optim.Adam(enc.parameters(), 2e-3)
d_opt = torch.optim.Adam([*dec.parameters(), *vocab.parameters()], 2e-3)
for it in range(16):
    src = torch.randn(5, 7, 6)
    tgt = src.flip(1)
    _, memory = enc(src)
    states, _ = dec(tgt[:, :-1], memory)
    loss = nn.functional.mse_loss(vocab(states), tgt[:, 1:])
    e_opt.zero_grad()
    d_opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(enc.parameters(), 1.0)
    e_opt.step()
    d_opt.step()
    nn.utils.clip_grad_norm_(dec.parameters(), 1.0)
print(loss.item())
