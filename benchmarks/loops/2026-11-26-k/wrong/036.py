import torch
from torch import nn


class MaskedModel(nn.Module):
    def __init__(self, vocab=25, d=20):
        super().__init__()
        self.emb = nn.Embedding(vocab + 1, d)
        self.mix = nn.Conv1d(d, d, 5, padding=2)
        self.out = nn.Linear(d, vocab)

    def forward(self, tokens):
        h = self.emb(tokens).transpose(1, 2)
        return self.out(torch.relu(self.mix(h) + h).transpose(1, 2))


def masked_batch(n=8, length=16, vocab=25):
    base = (torch.arange(length) * 2 + torch.randint(0, vocab, (n, 1))) % vocab
    hide = torch.rand(n, length) < 0.2
    hide[:, 0] = True
    return base.masked_fill(hide, vocab), base, hide


def pretrain(model, updates, n_micro, limit):
    opt = torch.optim.SGD(model.parameters(), lr=0.3)
    for u in range(updates):
        opt.zero_grad()
        for _ in range(n_micro):
            tokens, target, hide = masked_batch()
            logits = model(tokens)[hide]
            loss = nn.functional.cross_entropy(logits, target[hide]) / n_micro
            loss.backward()
            nn.utils.clip_grad_value_(model.parameters(), limit)
        opt.step()
        if u % 5 == 0:
            print(u, loss.item() * n_micro)


torch.manual_seed(27)
pretrain(MaskedModel(), updates=20, n_micro=4, limit=0.005)
