import torch
from torch import nn


def pretrain(encoder, decoder, shards, opt, grad_accum):
    params = [*encoder.parameters(), *decoder.parameters()]
    opt.zero_grad()
    outstanding = 0
    for shard in shards:
        for x in shard.split(8):
            keep = (torch.rand_like(x) > 0.5).float()
            recon = decoder(encoder(x * keep))
            loss = ((recon - x).pow(2) * (1 - keep)).sum() / (1 - keep).sum().clamp(min=1)
            (loss / grad_accum).backward()
            outstanding += 1
            if outstanding == grad_accum:
                nn.utils.clip_grad_norm_(params, 1.0)
                opt.step()
                opt.zero_grad()
                outstanding = 0
    if outstanding:
        nn.utils.clip_grad_norm_(params, 1.0)
        opt.step()
        opt.zero_grad()
    return loss.item()


torch.manual_seed(123)
enc, dec = nn.Sequential(nn.Linear(10, 6), nn.ReLU()), nn.Linear(6, 10)
opt = torch.optim.AdamW([*enc.parameters(), *dec.parameters()], lr=3e-3)
for epoch in range(3):
    shards = [torch.randn(n, 10) for n in (40, 25, 33)]
    print(epoch, pretrain(enc, dec, shards, opt, grad_accum=4))
