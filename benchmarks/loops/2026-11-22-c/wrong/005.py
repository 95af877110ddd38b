import torch
import torch.nn.functional as F

from openvocab import build_clip_head, loaders

model = build_clip_head(freeze_tower=True)
train_loader, val_loader = loaders(batch_size=32)

trainable = (p for p in model.parameters() if p.requires_grad)
print("trainable parameters:", sum(p.numel() for p in trainable))

optimizer = torch.optim.AdamW(
    [
        {"params": model.head.parameters(), "lr": 1e-3},
        {"params": [model.logit_scale], "lr": 1e-4, "weight_decay": 0.0},
    ]
)

for epoch in range(5):
    model.train()
    for images, captions in train_loader:
        optimizer.zero_grad()
        logits = model(images, captions)
        target = torch.arange(logits.size(0), device=logits.device)
        loss = (F.cross_entropy(logits, target) + F.cross_entropy(logits.t(), target)) / 2
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trainable, 1.0)
        optimizer.step()

    model.eval()
    hits = seen = 0
    with torch.inference_mode():
        for images, captions in val_loader:
            logits = model(images, captions)
            hits += (logits.argmax(1) == torch.arange(logits.size(0))).sum().item()
            seen += logits.size(0)
    print(f"epoch {epoch}: recall@1 {hits / seen:.3f}")
