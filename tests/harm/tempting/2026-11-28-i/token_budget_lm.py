"""Tiny next-token model; an update is due whenever enough real tokens were seen."""
import torch
import torch.nn.functional as F
from torch import nn

PAD, VOCAB, BUDGET = 0, 17, 120


class TinyLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, 12, padding_idx=PAD)
        self.rnn = nn.GRU(12, 16, batch_first=True)
        self.out = nn.Linear(16, VOCAB)

    def forward(self, ids):
        return self.out(self.rnn(self.embed(ids))[0])


def ragged_batches(count, generator):
    for _ in range(count):
        ids = torch.randint(1, VOCAB, (4, 13), generator=generator)
        lengths = torch.randint(5, 13, (4,), generator=generator)
        ids[torch.arange(13)[None, :] > lengths[:, None]] = PAD
        yield ids


def train(record):
    torch.manual_seed(3)
    lm = TinyLM()
    opt = torch.optim.SGD(lm.parameters(), lr=0.3, momentum=0.9)
    batches = list(ragged_batches(30, torch.Generator().manual_seed(1)))

    def update(tokens):
        for p in lm.parameters():
            p.grad.div_(tokens)
        nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
        opt.step()
        record(list(lm.parameters()))
        opt.zero_grad()

    for epoch in range(2):
        tokens = 0
        for ids in batches:
            logits = lm(ids[:, :-1])
            target = ids[:, 1:]
            nll = F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=PAD, reduction="sum")
            nll.backward()
            tokens += int((target != PAD).sum())
            if tokens >= BUDGET:
                update(tokens)
                tokens = 0
        if tokens:
            update(tokens)


if __name__ == "__main__":
    train(lambda parameters: None)
