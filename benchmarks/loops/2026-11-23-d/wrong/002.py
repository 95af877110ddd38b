import itertools

import torch
import torch.nn.functional as F

from corpus import chunks
from models import CharLM


class Trainer:
    """Pre-trains a character model from an endless stream."""

    def __init__(self, model, lr=1e-3, micro_steps=8, world=4):
        self.model = model
        self.micro_steps = micro_steps
        self.world = world
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.95))
        self.it = 0

    def update(self, stream):
        self.opt.zero_grad(set_to_none=True)
        running = 0.0
        for x, y in itertools.islice(stream, self.micro_steps):
            logits = self.model(x)
            loss = F.cross_entropy(logits.flatten(0, -2), y.flatten())
            (loss / self.world).backward()
            running += loss.item()
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.it += 1
        return running / self.micro_steps, norm.item()


if __name__ == "__main__":
    trainer = Trainer(CharLM(vocab=256))
    source = chunks("books.txt", length=128)
    for _ in range(5):
        value, norm = trainer.update(source)
        print(f"it {trainer.it} loss {value:.3f} |g| {norm:.2f}")
