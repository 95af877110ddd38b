"""Batches of about equally many tokens come from a generator; nobody knows beforehand how many there are."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import ExponentialLR

WINDOW = 4


def buckets(sentences, budget=40):
    held, longest = [], 0
    for sentence in sorted(sentences, key=len):
        longest = max(longest, len(sentence))
        if held and longest * (len(held) + 1) > budget:
            yield nn.utils.rnn.pad_sequence(held, batch_first=True)
            held, longest = [], len(sentence)
        held.append(sentence)
    if held:
        yield nn.utils.rnn.pad_sequence(held, batch_first=True)


def train(record):
    torch.manual_seed(119)
    table, out = nn.Embedding(20, 8, padding_idx=0), nn.Linear(8, 20)
    params = [*table.parameters(), *out.parameters()]
    opt = torch.optim.SGD(params, lr=1.0)
    sched = ExponentialLR(opt, 0.97)
    average = [p.detach().clone() for p in params]

    def update():
        opt.step()
        record(params)
        sched.step()
        opt.zero_grad()
        with torch.no_grad():
            for mean, p in zip(average, params):
                mean.lerp_(p, 0.2)

    for epoch in range(3):
        sentences = [torch.randint(1, 20, (int(n),)) for n in torch.randint(3, 12, (44,))]
        for i, batch in enumerate(buckets(sentences), 1):
            logits = out(table(batch[:, :-1]))
            loss = F.cross_entropy(logits.transpose(1, 2), batch[:, 1:], ignore_index=0)
            (loss / WINDOW).backward()
            if i % WINDOW == 0:
                update()


if __name__ == "__main__":
    train(lambda parameters: None)
