import torch
from torch import nn


def clear(optimizer):
    for group in optimizer.param_groups:
        for p in group["params"]:
            p.grad = None


class Word2Vec(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.centre = nn.Embedding(vocab, dim)
        self.context = nn.Embedding(vocab, dim)

    def forward(self, c, pos, neg):
        v = self.centre(c)
        good = (v * self.context(pos)).sum(-1)
        bad = torch.einsum("bd,bkd->bk", v, self.context(neg))
        return -(nn.functional.logsigmoid(good) + nn.functional.logsigmoid(-bad).sum(1)).mean()


torch.manual_seed(137)
model = Word2Vec(40, 12)
opt = torch.optim.Adagrad(model.parameters(), lr=0.2)
for step in range(80):
    c = torch.randint(0, 40, (64,))
    pos = (c + torch.randint(1, 3, (64,))) % 40
    loss = model(c, pos, torch.randint(0, 40, (64, 5)))
    loss.backward()
    opt.step()
    clear(opt)
    if step % 20 == 0:
        print(step, loss.item())
