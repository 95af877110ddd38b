import torch
from torch import nn


def pairwise(score, relevance):
    gap = score[:, None] - score[None, :]
    better = (relevance[:, None] > relevance[None, :]).float()
    return (better * nn.functional.softplus(-gap)).sum() / better.sum().clamp(min=1)


scorer = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.SGD(scorer.parameters(), lr=0.01)
decay = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.999)
QUERIES_PER_STEP = 5

for step in range(12):
    opt.zero_grad()
    for query in range(QUERIES_PER_STEP):
        docs = torch.randn(15, 6)
        relevance = (docs[:, 0] * 2).round()
        loss = pairwise(scorer(docs).squeeze(1), relevance)
        loss.backward()
        decay.step()
    opt.step()
    print(f"step {step} pairwise loss {loss.item():.3f} lr {decay.get_last_lr()[0]:.5f}")
