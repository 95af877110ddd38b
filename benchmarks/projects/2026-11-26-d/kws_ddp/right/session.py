from contextlib import nullcontext

import torch
import torch.nn.functional as F

from report import gradient_norm


class Session:
    def __init__(self, model, accum, amp, quiet=nullcontext):
        self.model, self.accum, self.amp, self.quiet = model, accum, amp, quiet
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
        self.scaler = torch.amp.GradScaler("cpu", enabled=amp, init_scale=128.0)

    def micro(self, wave, word):
        with torch.autocast("cpu", dtype=torch.float16, enabled=self.amp):
            logits = self.model(wave)
        loss = F.cross_entropy(logits.float(), word)
        self.scaler.scale(loss / self.accum).backward()
        return loss.item()

    def update(self):
        self.scaler.unscale_(self.optimizer)
        norm = gradient_norm(self.model, self.optimizer, self.scaler)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
        return norm

    def epoch(self, batches):
        self.model.train()
        total, norm = 0.0, 0.0
        for n, (wave, word) in enumerate(batches, 1):
            last = n % self.accum == 0 or n == len(batches)
            with nullcontext() if last else self.quiet():
                total += self.micro(wave, word)
            if last:
                norm = max(norm, self.update())
        return total / len(batches), norm
