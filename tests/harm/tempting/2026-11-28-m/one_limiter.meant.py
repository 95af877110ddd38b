"""Word vectors and the classifier over them have optimizers, and limits, of their own."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Trainer:
    limits = {"table": 0.05, "body": 0.5}

    def __init__(self):
        self.table = nn.Embedding(20, 6)
        self.body = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 2))
        self.parts = {"table": self.table, "body": self.body}
        self.opts = {k: torch.optim.SGD(m.parameters(), lr=0.5) for k, m in self.parts.items()}
        self.scaler = torch.amp.GradScaler("cpu", init_scale=512.0)

    def limit(self, name):
        return clip_grad_norm_(self.parts[name].parameters(), self.limits[name])

    def turn(self, ids, y, record):
        for opt in self.opts.values():
            opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            logits = self.body(self.table(ids).mean(1))
        loss = nn.functional.cross_entropy(logits.float(), y)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.opts["body"])
        norm = self.limit("body")
        weight = 1.0 if norm < 5 else 0.5
        for group in self.opts["table"].param_groups:
            group["lr"] = 0.5 * weight
        self.scaler.unscale_(self.opts["table"])
        self.limit("table")
        for name, opt in self.opts.items():
            self.scaler.step(opt)
            record(list(self.parts[name].parameters()))
        self.scaler.update()


def train(record):
    torch.manual_seed(89)
    trainer = Trainer()
    for _ in range(12):
        ids = torch.randint(0, 20, (10, 4))
        trainer.turn(ids, (ids[:, 0] > 9).long(), record)


if __name__ == "__main__":
    train(lambda parameters: None)
