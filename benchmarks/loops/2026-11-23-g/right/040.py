import math

import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, vocab=12, d=16):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.cell = nn.GRUCell(d, d)
        self.head = nn.Linear(d, vocab)

    def forward(self, seq):
        h = torch.zeros(len(seq), self.head.in_features)
        logits = []
        for t in range(seq.size(1) - 1):
            h = self.cell(self.tok(seq[:, t]), h)
            logits.append(self.head(h))
        return nn.functional.cross_entropy(torch.stack(logits, 1).flatten(0, 1), seq[:, 1:].flatten())


def clamp_gradients(module, bound):
    handles = []
    for p in module.parameters():
        handles.append(p.register_hook(lambda g: g.clamp(-bound, bound)))
    return handles


class Logger:
    def __init__(self):
        self.rows = []

    def grad_norm(self, step, loss, module):
        norm = nn.utils.clip_grad_norm_(module.parameters(), max_norm=math.inf)
        self.rows.append((step, loss, norm.item()))


def main():
    torch.manual_seed(1)
    decoder, logger = Decoder(), Logger()
    handles = clamp_gradients(decoder, 0.05)
    optimizer = torch.optim.RMSprop(decoder.parameters(), lr=3e-3)
    for step in range(20):
        seq = (torch.randint(0, 12, (8, 1)) + torch.arange(7)) % 12
        loss = decoder(seq)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        logger.grad_norm(step, loss.item(), decoder)
    for h in handles:
        h.remove()
    print(*logger.rows[::5], sep="\n")


main()
