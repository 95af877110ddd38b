import torch
from torch import nn

torch.manual_seed(0)


class SkipGram(nn.Module):
    def __init__(self, vocab=60, dim=12):
        super().__init__()
        self.center = nn.Embedding(vocab, dim)
        self.context = nn.Embedding(vocab, dim)

    def forward(self, c, pos, neg):
        v = self.center(c)
        p = (v * self.context(pos)).sum(-1)
        n = torch.einsum("bd,bkd->bk", v, self.context(neg))
        return -(nn.functional.logsigmoid(p) + nn.functional.logsigmoid(-n).sum(-1)).mean()


text = torch.randint(0, 12, (900,)) * 5 + torch.arange(900) % 5
centers = text[2:-2]
contexts = torch.stack([text[:-4], text[1:-3], text[3:-1], text[4:]], 1)

model = SkipGram()
optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.7)
n_epochs = 4

for epoch in range(n_epochs):
    if epoch > 0:
        scheduler.step()
    perm = torch.randperm(len(centers))
    total, batches = 0.0, perm.split(64)
    for idx in batches:
        pick = torch.randint(0, 4, (len(idx), 1))
        pos = contexts[idx].gather(1, pick).squeeze(1)
        neg = torch.randint(0, 60, (len(idx), 5))
        loss = model(centers[idx], pos, neg)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach()
    print(f"epoch {epoch} lr {scheduler.get_last_lr()[0]:.3f} loss {(total / len(batches)).item():.4f}")
