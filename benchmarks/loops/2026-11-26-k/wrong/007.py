import itertools

import torch
from torch import nn
from torch.nn.functional import mse_loss

torch.manual_seed(5)
encoder = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
decoder = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 16))
enc_opt = torch.optim.Adam(encoder.parameters(), lr=1e-3)
dec_opt = torch.optim.SGD(decoder.parameters(), lr=5e-2)
scaler = torch.amp.GradScaler("cpu")


def all_weights():
    return itertools.chain(encoder.parameters(), decoder.parameters())


basis = torch.randn(4, 16)
for it in range(40):
    x = torch.randn(24, 4) @ basis
    recon = decoder(encoder(x))
    loss = mse_loss(recon, x)
    enc_opt.zero_grad()
    dec_opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(enc_opt)
    nn.utils.clip_grad_norm_(all_weights(), 5.0)
    scaler.step(enc_opt)
    scaler.step(dec_opt)
    scaler.update()
    if it % 10 == 0:
        print(it, loss.item())
