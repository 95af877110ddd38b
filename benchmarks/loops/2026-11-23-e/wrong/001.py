"""Tiny byte-level language model on synthetic text, plain script."""
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1337)

vocab = 32
block = 16
micro_bs = 4
grad_accum = 4
max_updates = 12
lr = 3e-4

data = torch.randint(0, vocab, (4000,))


def get_batch():
    ix = torch.randint(len(data) - block - 1, (micro_bs,))
    x = torch.stack([data[i:i + block] for i in ix])
    y = torch.stack([data[i + 1:i + 1 + block] for i in ix])
    return x, y


class TinyLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(vocab, 32)
        self.pos = nn.Embedding(block, 32)
        layer = nn.TransformerEncoderLayer(32, 2, 64, dropout=0.0, batch_first=True)
        self.blocks = nn.TransformerEncoder(layer, 1)
        self.head = nn.Linear(32, vocab)

    def forward(self, idx, targets):
        pos = torch.arange(idx.size(1))
        h = self.tok(idx) + self.pos(pos)
        mask = nn.Transformer.generate_square_subsequent_mask(idx.size(1))
        logits = self.head(self.blocks(h, mask=mask))
        return logits, F.cross_entropy(logits.view(-1, vocab), targets.view(-1))


def lr_at(it):
    return lr * 0.5 * (1 + math.cos(math.pi * it / max_updates))


model = TinyLM()
optimizer = torch.optim.AdamW(model.parameters(), lr=lr)

for it in range(max_updates):
    for group in optimizer.param_groups:
        group["lr"] = lr_at(it)

    running = 0.0
    for micro_step in range(grad_accum):
        xb, yb = get_batch()
        _, loss = model(xb, yb)
        running += loss.item() / grad_accum
        loss.backward()

    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)

    if it % 4 == 0:
        print(f"iter {it}: loss {running:.4f}")
