import math

import torch
from torch import nn

BLOCK, VOCAB, MICRO = 12, 30, 5


class TinyLM(nn.Module):
    def __init__(self, d=32):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, d)
        self.pos = nn.Parameter(torch.zeros(BLOCK, d))
        self.block = nn.TransformerEncoderLayer(d, 2, 64, dropout=0.0, batch_first=True)
        self.lm_head = nn.Linear(d, VOCAB, bias=False)

    def forward(self, idx, targets):
        mask = nn.Transformer.generate_square_subsequent_mask(idx.size(1))
        h = self.block(self.tok(idx) + self.pos, src_mask=mask, is_causal=True)
        return nn.functional.cross_entropy(self.lm_head(h).view(-1, VOCAB), targets.reshape(-1))


def get_batch():
    seq = (torch.arange(BLOCK + 1) + torch.randint(0, VOCAB, (4, 1))) % VOCAB
    return seq[:, :-1], seq[:, 1:]


torch.manual_seed(1337)
lm = TinyLM()
opt = torch.optim.AdamW(lm.parameters(), lr=1e-3, betas=(0.9, 0.95), weight_decay=0.1)
for update in range(10):
    for group in opt.param_groups:
        group["lr"] = 1e-3 * 0.5 * (1 + math.cos(math.pi * update / 10))
    total = 0.0
    for _ in range(MICRO):
        x, y = get_batch()
        loss = lm(x, y)
        loss.backward()
        total += loss.item() / MICRO
    nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
    opt.step()
    opt.zero_grad(set_to_none=True)
    print(update, f"{total:.4f}")
