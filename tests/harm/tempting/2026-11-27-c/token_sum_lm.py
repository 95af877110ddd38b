import torch
import torch.nn.functional as F
from torch import nn

VOCAB, PAD, WINDOW = 17, 0, 4


class TinyLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, 12, padding_idx=PAD)
        self.rnn = nn.GRU(12, 16, batch_first=True)
        self.out = nn.Linear(16, VOCAB)

    def forward(self, ids):
        return self.out(self.rnn(self.emb(ids))[0])


def make_batches(n):
    batches = []
    for _ in range(n):
        ids = torch.randint(1, VOCAB, (6, 9))
        lengths = torch.randint(3, 10, (6, 1))
        batches.append(ids.masked_fill(torch.arange(9)[None] >= lengths, PAD))
    return batches


def train(record):
    torch.manual_seed(3)
    lm = TinyLM()
    params = list(lm.parameters())
    batches = make_batches(10)
    opt = torch.optim.SGD(params, lr=0.3, momentum=0.9)
    tokens = 0
    for epoch in range(2):
        nll = 0.0
        for n, ids in enumerate(batches, 1):
            logits = lm(ids[:, :-1])
            target = ids[:, 1:]
            loss = F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=PAD, reduction="sum")
            loss.backward()
            tokens += int((target != PAD).sum())
            nll += loss.item()
            if n % WINDOW and n != len(batches):
                continue
            for p in params:
                p.grad.div_(tokens)
            nn.utils.clip_grad_norm_(params, 1.0)
            opt.step()
            record(params)
            opt.zero_grad()
            tokens = 0


if __name__ == "__main__":
    train(lambda parameters: None)
