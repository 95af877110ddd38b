import torch
from torch import nn


class MasterWeights:
    """Half-precision model, float32 copies for the optimizer, fixed loss scale."""

    def __init__(self, model: nn.Module, scale: float = 1024.0):
        self.model = model.half()
        self.scale = scale
        self.model_params = [p for p in model.parameters() if p.requires_grad]
        self.master = [nn.Parameter(p.detach().clone().float()) for p in self.model_params]

    def backward(self, loss):
        (loss.float() * self.scale).backward()

    @torch.no_grad()
    def gradients_to_master(self):
        for m, p in zip(self.master, self.model_params):
            m.grad = None if p.grad is None else p.grad.float() / self.scale
            p.grad = None

    def finite(self):
        return all(torch.isfinite(m.grad).all() for m in self.master if m.grad is not None)

    @torch.no_grad()
    def weights_to_model(self):
        for m, p in zip(self.master, self.model_params):
            p.copy_(m)


def language_model_loss(model, ids):
    logits = model(ids[:, :-1])
    return nn.functional.cross_entropy(logits.flatten(0, 1).float(), ids[:, 1:].flatten())


def train(model: nn.Module, batches, *, steps: int = 20_000, lr: float = 2.5e-4, clip: float = 0.25):
    weights = MasterWeights(model.cuda())
    optimizer = torch.optim.Adam(weights.master, lr=lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    model.train()
    skipped = 0
    for step in range(steps):
        loss = language_model_loss(model, next(batches).cuda())
        weights.backward(loss)
        weights.gradients_to_master()
        if not weights.finite():
            skipped += 1
            weights.scale = max(1.0, weights.scale / 2)
            continue
        nn.utils.clip_grad_norm_(weights.master, clip)
        optimizer.step()
        scheduler.step()
        weights.weights_to_model()
        if step % 100 == 0:
            print(f"{step} loss {loss.item():.4f} scale {weights.scale:g} skipped {skipped}")
    return model
