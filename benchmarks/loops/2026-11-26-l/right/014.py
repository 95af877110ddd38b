import torch
import torch.nn.functional as F

torch.manual_seed(0)
PAD = 0
V = 25
lm = torch.nn.Sequential(torch.nn.Embedding(V, 16), torch.nn.Linear(16, V))
opt = torch.optim.AdamW(lm.parameters(), lr=5e-3)


def ragged_batch(rows=4, width=12):
    ids = torch.randint(1, V, (rows, width + 1))
    for r in range(rows):
        ids[r, torch.randint(4, width, (1,)).item():] = PAD
    return ids


window = 4
for update in range(6):
    micro_batches = [ragged_batch() for _ in range(window)]
    n_tokens = sum((b[:, 1:] != PAD).sum() for b in micro_batches)
    opt.zero_grad()
    shown = 0.0
    for b in micro_batches:
        logits = lm(b[:, :-1])
        nll = F.cross_entropy(logits.reshape(-1, V), b[:, 1:].reshape(-1), ignore_index=PAD, reduction="sum")
        (nll / n_tokens).backward()
        shown += nll.item()
    opt.step()
    print(update, shown / int(n_tokens))
