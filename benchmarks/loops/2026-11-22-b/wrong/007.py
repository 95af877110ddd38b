import torch
from torch import nn
from torch.optim import AdamW
from transformers import AutoModelForSequenceClassification, get_linear_schedule_with_warmup

from nli.data import infinite_batches


class Finetuner:
    def __init__(self, name, n_labels, device="cuda", lr=2e-5, accum=4, updates=10_000):
        self.device = device
        self.accum = accum
        self.updates = updates
        self.model = AutoModelForSequenceClassification.from_pretrained(name, num_labels=n_labels).to(device)
        no_decay = ("bias", "LayerNorm.weight")
        named = list(self.model.named_parameters())
        self.optimizer = AdamW(
            [
                {"params": [p for n, p in named if not n.endswith(no_decay)], "weight_decay": 0.01},
                {"params": [p for n, p in named if n.endswith(no_decay)], "weight_decay": 0.0},
            ],
            lr=lr,
        )
        self.scheduler = get_linear_schedule_with_warmup(self.optimizer, updates // 10, updates)
        self.micro = 0

    @property
    def is_boundary(self):
        return self.micro % self.accum == 0

    def forward_backward(self, batch):
        batch = {k: v.to(self.device) for k, v in batch.items()}
        loss = self.model(**batch).loss
        (loss / self.accum).backward()
        self.micro += 1
        return loss.item()

    def maybe_update(self):
        if self.is_boundary:
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.scheduler.step()
        else:
            self.optimizer.zero_grad()
        return self.is_boundary

    def fit(self, path):
        self.model.train()
        done, window = 0, []
        for batch in infinite_batches(path):
            window.append(self.forward_backward(batch))
            if self.maybe_update():
                done += 1
                if done % 50 == 0:
                    print(done, sum(window) / len(window))
                window = []
            if done >= self.updates:
                return self.model
