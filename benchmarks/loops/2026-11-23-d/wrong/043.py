import torch
from seg import Decoder, Encoder, loader
from torch import nn
from torch.amp import GradScaler, autocast

enc, dec = Encoder().cuda(), Decoder().cuda()
opt_enc = torch.optim.AdamW(enc.parameters(), lr=1e-5)
opt_dec = torch.optim.AdamW(dec.parameters(), lr=1e-3)
scaler = GradScaler("cuda")

for image, mask in loader("ade20k", batch=8):
    with autocast("cuda", dtype=torch.float16):
        loss = nn.functional.cross_entropy(dec(enc(image.cuda())), mask.cuda(), ignore_index=255)
    opt_enc.zero_grad()
    opt_dec.zero_grad()
    scaler.scale(loss).backward()

    scaler.unscale_(opt_dec)
    nn.utils.clip_grad_norm_(dec.parameters(), 1.0)
    scaler.unscale_(opt_dec)
    nn.utils.clip_grad_value_(dec.parameters(), 0.5)

    scaler.step(opt_enc)
    scaler.step(opt_dec)
    scaler.update()
    print("loss", loss.item())
