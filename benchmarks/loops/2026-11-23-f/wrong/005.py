import random

import torch
import torch.nn as nn


class Tagger(nn.Module):
    def __init__(self, vocab=30, dim=8, tags=4):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, tags)

    def forward(self, ids):
        h, _ = self.rnn(self.emb(ids))
        return self.out(h)


random.seed(1)
sentences = [torch.randint(0, 30, (1, random.randint(3, 9))) for _ in range(50)]
tagger = Tagger()
optim = torch.optim.Adagrad(tagger.parameters(), lr=0.1)
group = 8

for rnd in range(3):
    random.shuffle(sentences)
    pending = 0
    tot = 0.0
    for ids in sentences:
        gold = ids % 4
        logits = tagger(ids)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), gold.flatten())
        loss.div(group).backward()
        tot += loss.item()
        pending += 1
        if pending == group:
            optim.step()
            optim.zero_grad()
            pending = 0
    print(rnd, tot / len(sentences))
