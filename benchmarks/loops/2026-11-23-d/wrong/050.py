from dataclasses import dataclass

import torch
from data import build_loader
from models import Net


@dataclass
class Hyper:
    lr: float = 6e-4
    warmup: int = 10
    total: int = 30


hp = Hyper()
model = Net()
optimizer = torch.optim.AdamW(model.parameters(), lr=hp.lr)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1.0, (s + 1) / hp.warmup))
batches = build_loader("train", forever=True)
done = 0
while done < hp.total:
    x, y = next(batches)
    loss = torch.nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scheduler.step()
    optimizer.step()
    done += 1
print("finished", done, "updates at lr", scheduler.get_last_lr())
