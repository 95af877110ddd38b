import torch
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_


def freeze_first(model, layers):
    for layer in list(model.children())[:layers]:
        layer.requires_grad_(False)
    return model


def finetune(model, loader, *, frozen_layers=1, epochs=10, lr=1e-4, max_norm=1.0, device="cpu"):
    model = freeze_first(model.to(device), frozen_layers)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=lr)
    gamma = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    for epoch in range(epochs):
        model.train()
        norms = []
        for x, y in loader:
            loss = F.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            trainable = filter(lambda p: p.requires_grad, model.parameters())
            norms.append(clip_grad_norm_(trainable, max_norm).item())
            optimizer.step()
        gamma.step()
        print(f"epoch {epoch} loss {loss.item():.3f} mean norm {sum(norms) / len(norms):.2f}")
    return model
