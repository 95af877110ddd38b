import torch
import torch.nn as nn

from adapters import add_lora
from data import instruction_loader
from models import load_base

model = add_lora(load_base("1b"), rank=8)
trainable = list(filter(lambda p: p.requires_grad, model.parameters()))
optimizer = torch.optim.AdamW(trainable, lr=2e-4)
scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=3 * len(instruction_loader))
print(sum(p.numel() for p in trainable), "trainable parameters")

for epoch in range(3):
    model.train()
    for step, batch in enumerate(instruction_loader):
        output = model(input_ids=batch["input_ids"].cuda(), labels=batch["labels"].cuda())
        loss = output["loss"]
        loss.backward()
        norm = nn.utils.clip_grad_norm_(trainable, max_norm=0.3)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        if step % 20 == 0:
            print(f"{epoch}.{step} loss {loss.item():.3f} norm {norm:.3f}")
    torch.save({n: p for n, p in model.state_dict().items() if "lora" in n}, f"lora-{epoch}.pt")
