import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(102)
PAD = 0


def ragged_batch(n=4, longest=9, vocab=30):
    ids = torch.randint(1, vocab, (n, longest))
    lengths = torch.randint(3, longest + 1, (n,))
    ids[torch.arange(longest)[None, :] >= lengths[:, None]] = PAD
    return ids


model = nn.ModuleList([nn.Embedding(30, 20, padding_idx=PAD), nn.GRU(20, 20, batch_first=True), nn.Linear(20, 30)])
emb, gru, out = model
opt = torch.optim.AdamW(model.parameters(), lr=3e-3)

for update in range(5):
    micro = [ragged_batch() for _ in range(4)]
    n_tokens = sum((m[:, 1:] != PAD).sum().item() for m in micro)
    opt.zero_grad()
    nll = 0.0
    for ids in micro:
        logits = out(gru(emb(ids[:, :-1]))[0])
        loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), ignore_index=PAD, reduction="sum")
        (loss / n_tokens).backward()
        nll += loss.item()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    print(f"update {update} nll/token {nll / n_tokens:.4f} tokens {n_tokens}")
