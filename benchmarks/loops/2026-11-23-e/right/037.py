from types import SimpleNamespace

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def get_params():
    return SimpleNamespace(
        accum=3,
        batch_size=10,
        epochs=2,
        lr=5e-3,
        clip=1.0,
    )


class BiEncoder(nn.Module):
    def __init__(self, vocab=45, d=12):
        super().__init__()
        self.q = nn.EmbeddingBag(vocab, d)
        self.d = nn.EmbeddingBag(vocab, d)
        self.t = nn.Parameter(torch.tensor(1.0))

    def forward(self, query, doc):
        return self.t.exp() * self.q(query) @ self.d(doc).t()


def in_batch_loss(scores):
    target = torch.arange(scores.size(0))
    return (nn.functional.cross_entropy(scores, target) + nn.functional.cross_entropy(scores.t(), target)) / 2


def fit(params):
    doc = torch.randint(0, 45, (170, 9))
    query = doc[:, :4]
    loader = DataLoader(TensorDataset(query, doc), batch_size=params.batch_size, shuffle=True)
    model = BiEncoder()
    opt = torch.optim.Adam(model.parameters(), lr=params.lr)
    total_updates = params.epochs * -(-len(loader) // params.accum)
    sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=total_updates)

    done = 0
    for epoch in range(params.epochs):
        for step, (q, d) in enumerate(loader, start=1):
            loss = in_batch_loss(model(q, d))
            (loss / params.accum).backward()
            if step % params.accum == 0 or step == len(loader):
                nn.utils.clip_grad_norm_(model.parameters(), params.clip)
                opt.step()
                sched.step()
                opt.zero_grad()
                done += 1
        print(f"epoch {epoch}: loss {loss.item():.3f}, {done}/{total_updates} updates")


if __name__ == "__main__":
    torch.manual_seed(0)
    fit(get_params())
