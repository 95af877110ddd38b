import torch
from accelerate import Accelerator

from retrieval import DualEncoder, in_batch_loss, pair_loader

STEPS = 8

accelerator = Accelerator(gradient_accumulation_steps=STEPS)
model = DualEncoder("small")
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)
loader = pair_loader(split="train", batch_size=32)
scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=len(loader) * 3 // STEPS)
model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)

for epoch in range(3):
    model.train()
    for queries, passages in loader:
        with accelerator.accumulate(model):
            q, p = model(queries, passages)
            loss = in_batch_loss(q, p)
            loss = loss / STEPS
            accelerator.backward(loss)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
    accelerator.print(f"epoch {epoch}: {loss.item() * STEPS:.4f}")
    accelerator.save_state(f"state-{epoch}")
