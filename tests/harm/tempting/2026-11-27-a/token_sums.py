import torch
import torch.nn.functional as F
from torch import nn

PAD = 0


class TinyLM(nn.Module):
    def __init__(self, vocab=19, width=12):
        super().__init__()
        self.embed = nn.Embedding(vocab, width, padding_idx=PAD)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, vocab)

    def forward(self, ids):
        return self.out(self.rnn(self.embed(ids))[0])


def ragged(count):
    rows = []
    for _ in range(count):
        ids = torch.randint(1, 19, (4, 9))
        keep = torch.randint(3, 10, (4, 1))
        rows.append(ids.masked_fill(torch.arange(9) >= keep, PAD))
    return rows


def train(record, window=4):
    torch.manual_seed(104)
    lm, corpus = TinyLM(), ragged(10)
    opt = torch.optim.SGD(lm.parameters(), lr=0.5, momentum=0.9)
    for epoch in range(2):
        tokens = 0
        for k, ids in enumerate(corpus):
            logits = lm(ids[:, :-1])
            nll = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), ignore_index=PAD, reduction="sum")
            nll.backward()
            tokens += int(ids[:, 1:].ne(PAD).sum())
            if k % window == window - 1 or k == len(corpus) - 1:
                for p in lm.parameters():
                    p.grad *= 1.0 / tokens
                nn.utils.clip_grad_norm_(lm.parameters(), 5.0)
                opt.step()
                record(list(lm.parameters()))
                opt.zero_grad()
                tokens = 0


if __name__ == "__main__":
    train(lambda parameters: None)
