import torch
from torch import nn, optim

torch.manual_seed(13)
feature = nn.Linear(7, 14)
head = nn.Linear(14, 5)
both = nn.ModuleList([feature, head])
opt = optim.Adam(both.parameters())
accumulate = 3
batches = [(torch.randn(6, 7), torch.randint(0, 5, (6,))) for _ in range(12)]
for round_ in range(2):
    for i, (x, t) in enumerate(batches):
        logits = head(torch.relu(feature(x)))
        nll = nn.functional.cross_entropy(logits, t)
        (nll / accumulate).backward()
        if i % accumulate == 0:
            opt.step()
            opt.zero_grad()
    opt.zero_grad()
    print(round_, nll.item())
