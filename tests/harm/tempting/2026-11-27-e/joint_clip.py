import torch
from torch import nn
from torch.amp import GradScaler
from torch.nn.utils import clip_grad_norm_


def build():
    encoder = nn.Sequential(nn.Linear(6, 12), nn.Tanh())
    decoder = nn.Linear(12, 6)
    opt_enc = torch.optim.SGD(encoder.parameters(), lr=0.2)
    opt_dec = torch.optim.SGD(decoder.parameters(), lr=0.1, momentum=0.9)
    return encoder, decoder, opt_enc, opt_dec


def reconstruct(encoder, decoder, x):
    with torch.autocast("cpu", dtype=torch.float16):
        out = decoder(encoder(x))
    return nn.functional.mse_loss(out.float(), x)


def train(record):
    torch.manual_seed(303)
    encoder, decoder, opt_enc, opt_dec = build()
    weights = [*encoder.parameters(), *decoder.parameters()]
    scaler = GradScaler("cpu", init_scale=1024.0)
    step = 0
    for epoch in range(3):
        for _ in range(6):
            x = torch.randn(16, 6)
            opt_enc.zero_grad()
            opt_dec.zero_grad()
            loss = reconstruct(encoder, decoder, x)
            scaler.scale(loss).backward()
            clip_grad_norm_(weights, 0.5)
            scaler.step(opt_dec)
            record(weights)
            if step % 2 == 0:
                scaler.step(opt_enc)
                record(weights)
            scaler.update()
            step += 1
        print(f"epoch {epoch}: {loss.item():.5f}")


if __name__ == "__main__":
    train(lambda parameters: None)
