import torch
import torch.nn as nn
from torch.nn import functional as F

torch.manual_seed(1337)
block_size, vocab_size, n_embd = 16, 40, 32
gradient_accumulation_steps = 4
max_iters = 6
tokens = torch.randint(0, vocab_size, (2000,))


def get_batch(bs=4):
    ix = torch.randint(len(tokens) - block_size - 1, (bs,))
    x = torch.stack([tokens[i:i + block_size] for i in ix])
    y = torch.stack([tokens[i + 1:i + 1 + block_size] for i in ix])
    return x, y


class TinyLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, n_embd)
        self.block = nn.TransformerEncoderLayer(n_embd, 2, 64, dropout=0.0, batch_first=True)
        self.lm_head = nn.Linear(n_embd, vocab_size, bias=False)

    def forward(self, idx, targets):
        mask = nn.Transformer.generate_square_subsequent_mask(idx.size(1))
        logits = self.lm_head(self.block(self.wte(idx), src_mask=mask, is_causal=True))
        return F.cross_entropy(logits.view(-1, vocab_size), targets.view(-1))


model = TinyLM()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.1)
X, Y = get_batch()
for it in range(max_iters):
    for micro_step in range(gradient_accumulation_steps):
        loss = model(X, Y)
        X, Y = get_batch()
        loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    print(f"iter {it}: loss {loss.item():.4f}")
