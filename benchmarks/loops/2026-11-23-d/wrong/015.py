import itertools

import torch
from torch import nn


def seq_batch(n=16, length=6, vocab=20):
    src = torch.randint(1, vocab, (n, length))
    return src, src.flip(1)


encoder = nn.Sequential(nn.Embedding(20, 24), nn.Linear(24, 24), nn.ReLU())
decoder = nn.Linear(24 * 6, 6 * 20)
everything = itertools.chain(encoder.parameters(), decoder.parameters())
enc_opt = torch.optim.Adam(encoder.parameters(), lr=1e-3)
dec_opt = torch.optim.Adam(decoder.parameters(), lr=2e-3)

num_steps = 30
for step in range(num_steps):
    src, tgt = seq_batch()
    hidden = encoder(src).flatten(1)
    logits = decoder(hidden).view(-1, 6, 20)
    loss = nn.functional.cross_entropy(logits.transpose(1, 2), tgt)

    enc_opt.zero_grad()
    dec_opt.zero_grad()
    loss.backward()
    grad_norm = nn.utils.clip_grad_norm_(everything, 1.0)
    enc_opt.step()
    dec_opt.step()

    if step % 10 == 0:
        print(f"step {step}: loss {loss.item():.3f} grad {float(grad_norm):.3f}")
