import itertools

import torch
from torch import nn
from torch.nn import functional as F

VOCAB, PAD = 13, -100


class TinyLM(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, VOCAB)

    def forward(self, ids):
        return self.head(self.rnn(self.embed(ids))[0])


def make_corpus(count):
    corpus = []
    for _ in range(count):
        ids = torch.randint(0, VOCAB, (3, 9))
        labels = ids.roll(-1, dims=1)
        keep = torch.randint(2, 9, (3, 1))
        labels = labels.masked_fill(torch.arange(9)[None, :] >= keep, PAD)
        corpus.append((ids, labels))
    return corpus


def windows(corpus, size):
    iterator = iter(corpus)
    while chunk := list(itertools.islice(iterator, size)):
        yield chunk


def summed_loss(lm, ids, labels):
    logits = lm(ids)
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=PAD, reduction="sum")


def train(record, grad_accum=4):
    torch.manual_seed(21)
    corpus = make_corpus(10)
    lm = TinyLM()
    opt = torch.optim.AdamW(lm.parameters(), lr=5e-3, weight_decay=0.1)
    for epoch in range(2):
        nll, tokens = 0.0, 0
        for window in windows(corpus, grad_accum):
            total = sum(int(labels.ne(PAD).sum()) for _, labels in window)
            opt.zero_grad(set_to_none=True)
            for ids, labels in window:
                loss = summed_loss(lm, ids, labels) / total
                loss.backward()
                nll += loss.item() * total
            nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
            opt.step()
            record(list(lm.parameters()))
            tokens += total
        print(f"[{epoch}] nll/token {nll / tokens:.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
