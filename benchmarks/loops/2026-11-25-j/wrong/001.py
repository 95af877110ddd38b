import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_

torch.manual_seed(7)
TEXT = "the quick brown fox jumps over the lazy dog. " * 40
vocab = sorted(set(TEXT))
stoi = {c: i for i, c in enumerate(vocab)}
ids = torch.tensor([stoi[c] for c in TEXT])
BLOCK, BATCH = 16, 8


class TinyLM(nn.Module):
    def __init__(self, n_vocab, dim=24):
        super().__init__()
        self.tok = nn.Embedding(n_vocab, dim)
        self.pos = nn.Embedding(BLOCK, dim)
        self.block = nn.TransformerEncoderLayer(dim, 2, 48, dropout=0.1, batch_first=True)
        self.head = nn.Linear(dim, n_vocab)

    def forward(self, idx):
        t = idx.shape[1]
        mask = nn.Transformer.generate_square_subsequent_mask(t)
        h = self.tok(idx) + self.pos(torch.arange(t))
        return self.head(self.block(h, src_mask=mask, is_causal=True))


def get_batch():
    starts = torch.randint(len(ids) - BLOCK - 1, (BATCH,))
    x = torch.stack([ids[s : s + BLOCK] for s in starts])
    y = torch.stack([ids[s + 1 : s + BLOCK + 1] for s in starts])
    return x, y


lm = TinyLM(len(vocab))
opt = torch.optim.AdamW(lm.parameters(), lr=3e-3)
for it in range(20):
    xb, yb = get_batch()
    logits = lm(xb)
    loss = F.cross_entropy(logits.flatten(0, 1), yb.flatten())
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    grad_norm = clip_grad_norm_(lm.parameters(), 1.0)
    if it % 5 == 0:
        print(f"iter {it} loss {loss.item():.3f} norm {grad_norm:.2f}")
