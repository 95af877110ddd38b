"""Accumulate over micro-batches of unequal token counts."""
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
PAD, VOCAB, WINDOW = 0, 60, 4


def sentences(n):
    out = []
    for _ in range(n):
        ln = int(torch.randint(3, 14, ()))
        out.append(torch.randint(1, VOCAB, (ln,)))
    return out


def collate(group):
    return nn.utils.rnn.pad_sequence(group, batch_first=True, padding_value=PAD)


def windows(corpus, micro=5):
    perm = torch.randperm(len(corpus)).tolist()
    groups = [collate([corpus[j] for j in perm[i:i + micro]]) for i in range(0, len(perm), micro)]
    for i in range(0, len(groups), WINDOW):
        yield groups[i:i + WINDOW]


class WordLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(VOCAB, 20, padding_idx=PAD)
        self.r = nn.GRU(20, 20, batch_first=True)
        self.o = nn.Linear(20, VOCAB)

    def forward(self, t):
        return self.o(self.r(self.e(t))[0])


lm = WordLM()
optimizer = torch.optim.Adam(lm.parameters(), lr=4e-3)
corpus = sentences(130)

for epoch in range(2):
    lm.train()
    for group in windows(corpus):
        n_tok = sum(int((m[:, 1:] != PAD).sum()) for m in group)
        optimizer.zero_grad()
        nll = 0.0
        for m in group:
            logits = lm(m[:, :-1])
            loss = F.cross_entropy(logits.flatten(0, 1), m[:, 1:].flatten(), ignore_index=PAD, reduction="sum")
            nll += loss.item()
            (loss / n_tok).backward()
        optimizer.step()
    print(f"epoch {epoch}: last window nll/token {nll / n_tok:.3f}")
