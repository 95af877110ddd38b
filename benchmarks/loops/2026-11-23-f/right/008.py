import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

torch.manual_seed(1)
encoder = nn.Linear(12, 6)
decoder = nn.Linear(6, 12)
opt_e = torch.optim.SGD(encoder.parameters(), lr=0.05)
opt_d = torch.optim.SGD(decoder.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
data = torch.randn(64, 12)

for epoch in range(4):
    for chunk in data.split(16):
        for o in (opt_e, opt_d):
            o.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            z = encoder(chunk)
            loss = (decoder(z).float() - chunk).square().mean() + 1e-3 * z.float().abs().mean()
        scaler.scale(loss).backward()
        for m, o in ((encoder, opt_e), (decoder, opt_d)):
            scaler.unscale_(o)
            clip_grad_norm_(m.parameters(), 1.0)
            scaler.step(o)
        scaler.update()
    print(epoch, loss.item())
