import torch
from torch import nn

from trainer import Trainer


class LanguageModelTrainer(Trainer):
    """Next-token prediction with a z-loss."""

    z_loss: float = 1e-3

    def compute_loss(self, model: nn.Module, batch) -> torch.Tensor:
        inputs, labels = (t.to(self.args.device) for t in batch)
        logits = model(inputs)
        ce = nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
        return ce + self.z_loss * logits.logsumexp(-1).pow(2).mean()

    def training_step(self, model: nn.Module, batch) -> torch.Tensor:
        loss = self.compute_loss(model, batch)
        loss = loss / self.args.gradient_accumulation_steps
        loss.backward()
        return loss
