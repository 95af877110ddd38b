# Language modelling with windows of unequal length: the loss is a sum, normalised by the tokens of the window.
import random

import torch
from torch import nn

random.seed(5)
torch.manual_seed(5)

PAD, VOCAB = 0, 30
UPDATE_EVERY = 3


def corpus(n=27):
    out = []
    for _ in range(n):
        length = random.randint(4, 12)
        start = random.randint(1, VOCAB - 1)
        out.append(torch.tensor([(start + k) % (VOCAB - 1) + 1 for k in range(length)]))
    return out


def pad(sentences):
    return nn.utils.rnn.pad_sequence(sentences, batch_first=True, padding_value=PAD)


class GRULM(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(VOCAB, 12, padding_idx=PAD)
        self.g = nn.GRU(12, 16, batch_first=True)
        self.o = nn.Linear(16, VOCAB)

    def forward(self, x):
        return self.o(self.g(self.e(x))[0])


lm = GRULM().train()
optimizer = torch.optim.Adam(lm.parameters(), lr=1e-2)
summed = nn.CrossEntropyLoss(ignore_index=PAD, reduction="sum")
sentences = corpus()

for epoch in range(2):
    random.shuffle(sentences)
    batches = [pad(sentences[i : i + 3]) for i in range(0, len(sentences), 3)]
    nll = tokens = 0
    while batches:
        window, batches = batches[:UPDATE_EVERY], batches[UPDATE_EVERY:]
        window_tokens = sum(int((b[:, 1:] != PAD).sum()) for b in window)
        for b in window:
            logits = lm(b[:, :-1])
            loss = summed(logits.flatten(0, 1), b[:, 1:].flatten())
            loss.div(window_tokens).backward()
            nll += loss.item()
        tokens += window_tokens
        nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
        optimizer.step()
        lm.zero_grad()
    print(f"epoch {epoch} nll/token {nll / tokens:.4f}")
