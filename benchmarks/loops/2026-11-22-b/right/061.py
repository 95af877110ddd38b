import torch
from torch import nn


class GradientBuffer:
    """Keeps a float32 sum of bfloat16 gradients."""

    def __init__(self, params):
        self.params = [p for p in params if p.requires_grad]
        self.sums = [torch.zeros_like(p, dtype=torch.float32) for p in self.params]
        self.count = 0

    @torch.no_grad()
    def absorb(self):
        for p, s in zip(self.params, self.sums):
            if p.grad is not None:
                s.add_(p.grad.float())
                p.grad = None
        self.count += 1

    @torch.no_grad()
    def release(self):
        for p, s in zip(self.params, self.sums):
            p.grad = (s / self.count).to(p.dtype)
            s.zero_()
        self.count = 0


def micro_batches(tokens, size):
    for i in range(0, tokens.size(0), size):
        yield tokens[i : i + size]


class BF16Trainer:
    def __init__(self, model: nn.Module, lr: float, micro: int):
        self.model = model.to("cuda", torch.bfloat16)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.95))
        self.scheduler = torch.optim.lr_scheduler.LinearLR(self.optimizer, 0.01, 1.0, total_iters=500)
        self.buffer = GradientBuffer(model.parameters())
        self.micro = micro

    def update(self, tokens):
        total = 0.0
        for part in micro_batches(tokens, self.micro):
            logits = self.model(part[:, :-1])
            loss = nn.functional.cross_entropy(logits.flatten(0, 1).float(), part[:, 1:].flatten())
            loss.backward()
            total += loss.item()
            self.buffer.absorb()
        n = self.buffer.count
        self.buffer.release()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.scheduler.step()
        self.optimizer.zero_grad(set_to_none=True)
        return total / n


def main(model, stream, updates):
    trainer = BF16Trainer(model, lr=3e-4, micro=4)
    trainer.model.train()
    for step in range(updates):
        loss = trainer.update(next(stream).cuda())
        if step % 10 == 0:
            print(step, loss)
