import math
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


class CharLM(nn.Module):
    def __init__(self, vocab: int, width: int = 384, depth: int = 6):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        layer = nn.TransformerEncoderLayer(width, 6, 4 * width, dropout=0.2, batch_first=True, norm_first=True)
        self.blocks = nn.TransformerEncoder(layer, depth)
        self.head = nn.Linear(width, vocab)

    def forward(self, ids):
        mask = nn.Transformer.generate_square_subsequent_mask(ids.size(1), device=ids.device)
        return self.head(self.blocks(self.embed(ids), mask=mask, is_causal=True))

    @torch.no_grad()
    def generate(self, ids, length, temperature=0.8):
        self.eval()
        for _ in range(length):
            logits = self(ids[:, -256:])[:, -1] / temperature
            ids = torch.cat([ids, torch.multinomial(logits.softmax(-1), 1)], dim=1)
        return ids


class Session:
    def __init__(self, model: CharLM, codec, out: Path, lr: float = 1e-3, total: int = 5000):
        self.model, self.codec, self.out = model, codec, out
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.99))
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(
            self.optimizer, lambda s: 0.5 * (1 + math.cos(math.pi * min(s / total, 1)))
        )
        self.total = total
        self.step = 0

    def preview(self):
        prompt = torch.tensor([self.codec.encode("\n")])
        text = self.codec.decode(self.model.generate(prompt, 400)[0].tolist())
        (self.out / f"{self.step:06d}.txt").write_text(text)

    def train(self, loader: DataLoader):
        self.model.train()
        while self.step < self.total:
            for x, y in loader:
                loss = F.cross_entropy(self.model(x).flatten(0, 1), y.flatten())
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                self.scheduler.step()
                self.step += 1
                if self.step % 250 == 0:
                    print(self.step, loss.item())
                    self.preview()
                if self.step >= self.total:
                    return
