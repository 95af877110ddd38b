from dataclasses import dataclass

import torch
from torch import nn
from torch.amp import GradScaler


@dataclass
class Limits:
    encoder: float = 0.5
    decoder: float = 1.0


class AmpOptimizer:
    """An optimizer together with its scaler."""

    def __init__(self, optimizer: torch.optim.Optimizer, enabled: bool = True):
        self.optimizer = optimizer
        self.scaler = GradScaler("cuda", enabled=enabled)
        self._unscaled = False

    def backward(self, loss: torch.Tensor) -> None:
        self.scaler.scale(loss).backward()

    def _ensure_unscaled(self) -> None:
        if not self._unscaled:
            self.scaler.unscale_(self.optimizer)
            self._unscaled = True

    def norm(self, module: nn.Module) -> float:
        self._ensure_unscaled()
        grads = [p.grad.norm() for p in module.parameters() if p.grad is not None]
        return torch.stack(grads).norm().item()

    def clip(self, module: nn.Module, limit: float) -> None:
        self._ensure_unscaled()
        nn.utils.clip_grad_norm_(module.parameters(), limit)

    def step(self) -> None:
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self._unscaled = False
        self.optimizer.zero_grad(set_to_none=True)


def train(encoder: nn.Module, decoder: nn.Module, loader, *, epochs: int, limits: Limits = Limits()) -> None:
    params = [*encoder.parameters(), *decoder.parameters()]
    amp = AmpOptimizer(torch.optim.AdamW(params, lr=2e-4))
    loss_fn = nn.CrossEntropyLoss(ignore_index=0)
    for epoch in range(epochs):
        encoder.train()
        decoder.train()
        for i, (image, formula) in enumerate(loader):
            image, formula = image.cuda(), formula.cuda()
            with torch.autocast("cuda", dtype=torch.float16):
                logits = decoder(encoder(image), formula[:, :-1])
                loss = loss_fn(logits.transpose(1, 2), formula[:, 1:])
            amp.backward(loss)
            if i % 100 == 0:
                print(epoch, i, loss.item(), amp.norm(encoder), amp.norm(decoder))
            amp.clip(encoder, limits.encoder)
            amp.clip(decoder, limits.decoder)
            amp.step()
