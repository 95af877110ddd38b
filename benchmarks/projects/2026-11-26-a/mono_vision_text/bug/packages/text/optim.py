import torch


def build(model, lr=3e-3):
    return torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.05)


def apply(optimizer, model, max_norm=1.0):
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
