import torch
from torch import nn

torch.manual_seed(45)
emb, head = nn.Embedding(20, 8, padding_idx=0), nn.Linear(8, 20)
opt = torch.optim.AdamW([*emb.parameters(), *head.parameters()], lr=1e-2)
for update in range(4):
    window = [torch.randint(0, 20, (3, 7)) for _ in range(4)]
    tokens = sum((ids[:, 1:] != 0).sum() for ids in window)
    opt.zero_grad()
    for ids in window:
        logits = head(emb(ids[:, :-1]))
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), ignore_index=0, reduction="sum")
        (loss / tokens).backward()
    opt.step()
