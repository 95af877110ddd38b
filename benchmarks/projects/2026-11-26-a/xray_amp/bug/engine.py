import torch

from amp import finish_window


def train_epoch(model, loader, optimizer, scaler, device, cfg):
    opts = cfg["train"]
    every = opts["accumulate"]
    params = list(model.parameters())
    losses, norms = [], []
    for i, (image, finding) in enumerate(loader):
        image, finding = image.to(device), finding.to(device)
        with torch.autocast(device.type, dtype=torch.float16, enabled=cfg["amp"]):
            logits = model(image)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, finding)
        losses.append(loss.item())
        if opts["mean_over_window"]:
            loss = loss / every
        scaler.scale(loss).backward()
        if (i + 1) % every == 0 or i + 1 == len(loader):
            norms.append(finish_window(scaler, optimizer, params, opts["max_norm"]))
    return sum(losses) / len(losses), max(norms)


@torch.no_grad()
def sensitivity(model, loader, device):
    hit, positive = 0.0, 0.0
    for image, finding in loader:
        guess = (model(image.to(device)) > 0).float().cpu()
        hit += (guess * finding).sum().item()
        positive += finding.sum().item()
    return hit / max(positive, 1.0)
