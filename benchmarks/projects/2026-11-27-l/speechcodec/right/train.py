import json
import math

import torch
import torch.nn.functional as F

from codec import Decoder, Encoder
from halfprec import HalfPrecision
from penalties import push_sparsity


def frames_of(n, width):
    phase = torch.rand(n, 1) * 2 * math.pi
    pitch = torch.rand(n, 1) * 4 + 1
    t = torch.linspace(0, 1, width)
    return torch.sin(2 * math.pi * pitch * t + phase)


def main():
    with open("settings.json") as handle:
        s = json.load(handle)
    torch.manual_seed(3)
    encoder, decoder = Encoder(s["frame"], s["code"]), Decoder(s["frame"], s["code"])
    enc_opt = torch.optim.Adam(encoder.parameters(), lr=2e-3)
    dec_opt = torch.optim.Adam(decoder.parameters(), lr=2e-3)
    half = HalfPrecision(s["init_scale"], s["growth_interval"])

    for step in range(s["steps"]):
        frames = frames_of(s["batch"], s["frame"])
        enc_opt.zero_grad()
        dec_opt.zero_grad()
        with half.forward():
            rebuilt = decoder(encoder(frames))
        loss = F.mse_loss(rebuilt.float(), frames)
        half.backward(loss)
        penalty = push_sparsity(encoder, frames, s["sparsity"], half)
        half.apply(enc_opt)
        half.apply(dec_opt)
        half.finish()
        if step % 20 == 0:
            print(f"{step:4d} mse {loss.item():.4f} l1 {penalty:.4f} scale {half.scaler.get_scale():.0f}")


if __name__ == "__main__":
    main()
