import itertools

import torch
import torch.nn.functional as F
from torch import nn

UPDATES, MICRO, PEAK = 8, 4, 0.15


def text(vocab):
    return torch.randint(vocab, (6, 8, 10))


class Tiny(nn.Module):
    def __init__(self, vocab, width=12):
        super().__init__()
        self.table = nn.Embedding(vocab, width)
        self.mix = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, vocab)

    def forward(self, ids):
        return self.out(self.mix(self.table(ids))[0])


def train(record):
    torch.manual_seed(39)
    vocab = 7
    stream = itertools.cycle(text(vocab))
    lm = Tiny(vocab)
    opt = torch.optim.SGD(lm.parameters(), lr=PEAK)
    smooth = 2.0
    for epoch in range(2):
        for update in range(UPDATES):
            opt.zero_grad(set_to_none=True)
            for _ in range(MICRO):
                ids = next(stream)
                loss = F.cross_entropy(lm(ids)[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
                (loss / MICRO).backward()
                smooth = 0.9 * smooth + 0.1 * loss.item()
            for group in opt.param_groups:
                group["lr"] = PEAK * min(1.0, smooth / 2.0)
            opt.step()
            record(list(lm.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
