import torch
from torch import nn

PAD = 0


def batch(n=6, t=9):
    ids = torch.randint(1, 20, (n, t))
    for row, k in zip(ids, torch.randint(3, t + 1, (n,)).tolist()):
        row[k:] = PAD
    return ids


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(20, 12, padding_idx=PAD)
        self.gru = nn.GRU(12, 12, batch_first=True)
        self.fc = nn.Linear(12, 20)

    def forward(self, ids):
        return self.fc(self.gru(self.emb(ids))[0])


lm = LM()
opt = torch.optim.Adam(lm.parameters(), lr=1e-2)
for update in range(8):
    micro = [batch() for _ in range(4)]
    tokens = sum((b[:, 1:] != PAD).sum() for b in micro)
    seen = 0.0
    for b in micro:
        logits = lm(b[:, :-1])
        nll = nn.functional.cross_entropy(logits.flatten(0, 1), b[:, 1:].flatten(), ignore_index=PAD, reduction="sum")
        (nll / tokens).backward()
        seen += nll.item()
    nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
    opt.step()
    opt.zero_grad()
    print(update, seen / tokens.item())
