from itertools import cycle

import torch
import torch.nn as nn

torch.manual_seed(9)


class Bigram(nn.Module):
    def __init__(self, v=32, d=16):
        super().__init__()
        self.emb = nn.Embedding(v, d)
        self.out = nn.Linear(d, v)

    def forward(self, tokens, targets):
        logits = self.out(self.emb(tokens))
        return nn.functional.cross_entropy(logits.view(-1, logits.size(-1)), targets.reshape(-1))


cfg = {"micro_batches": 5, "max_updates": 4, "clip": 5.0}
corpus = torch.randint(0, 32, (40, 4, 13))
stream = cycle(corpus)
model = Bigram()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)

for update in range(cfg["max_updates"]):
    opt.zero_grad(set_to_none=True)
    loss_accum = 0.0
    for _ in range(cfg["micro_batches"]):
        chunk = next(stream)
        loss = model(chunk[:, :-1], chunk[:, 1:])
        loss_accum += loss.detach() / cfg["micro_batches"]
        loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), cfg["clip"])
    opt.step()
    print(f"update {update} | loss {loss_accum.item():.3f} | norm {norm:.3f}")
