import torch
import torch.nn.functional as F


def train_one_epoch(model, loader, optimizer, scaler, max_norm):
    total, norms = 0.0, 0.0
    for noisy, clean in loader:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", dtype=torch.float16):
            restored = model(noisy)
        loss = F.mse_loss(restored.float(), clean)
        scaler.backward(loss)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        scaler.apply(optimizer)
        total += loss.item()
        norms += norm.item()
    return {"loss": total / len(loader), "gnorm": norms / len(loader)}
