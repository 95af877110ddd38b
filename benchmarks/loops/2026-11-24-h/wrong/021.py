import math
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F

cfg = SimpleNamespace(vocab=40, d=24, ctx=12, lr=1e-3, wd=0.1, clip=1.0, iters=24, bs=6)


class NativeScaler:
    state_dict_key = "amp_scaler"

    def __init__(self, device_type):
        self._scaler = torch.amp.GradScaler(device_type, init_scale=2.0**12)

    def __call__(self, loss, optimizer, parameters=None, clip_grad=None):
        self._scaler.scale(loss).backward()
        norm = None
        if clip_grad is not None:
            norm = torch.nn.utils.clip_grad_norm_(parameters, clip_grad)
        self._scaler.step(optimizer)
        self._scaler.update()
        return norm

    def state_dict(self):
        return self._scaler.state_dict()


class MiniGPT(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(c.vocab, c.d), nn.Embedding(c.ctx, c.d)
        self.qkv, self.proj = nn.Linear(c.d, 3 * c.d), nn.Linear(c.d, c.d)
        self.head = nn.Linear(c.d, c.vocab, bias=False)

    def forward(self, idx):
        x = self.wte(idx) + self.wpe(torch.arange(idx.size(1), device=idx.device))
        q, k, v = self.qkv(x).chunk(3, -1)
        att = (q @ k.transpose(1, 2)) / math.sqrt(q.size(-1))
        keep = torch.ones(idx.size(1), idx.size(1), device=idx.device).tril().bool()
        att = att.float().masked_fill(~keep, float("-inf")).softmax(-1)
        return self.head(x + self.proj(att.to(v.dtype) @ v))


def main():
    torch.manual_seed(1337)
    dev = "cuda" if torch.cuda.is_available() else "cpu"
    model = MiniGPT(cfg).to(dev)
    optim = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=cfg.wd)
    loss_scaler = NativeScaler(dev)
    tokens = torch.randint(0, cfg.vocab, (2000,))
    model.train()
    for it in range(cfg.iters):
        at = torch.randint(0, len(tokens) - cfg.ctx - 1, (cfg.bs, 1))
        w = tokens[at + torch.arange(cfg.ctx + 1)].to(dev)
        with torch.autocast(dev, dtype=torch.float16):
            logits = model(w[:, :-1])
        loss = F.cross_entropy(logits.float().flatten(0, 1), w[:, 1:].flatten())
        optim.zero_grad()
        gnorm = loss_scaler(loss, optim, parameters=model.parameters(), clip_grad=cfg.clip)
        if it % 8 == 0:
            print(f"{it:4d} loss {loss.item():.3f} gnorm {float(gnorm):.2f}")


if __name__ == "__main__":
    main()
