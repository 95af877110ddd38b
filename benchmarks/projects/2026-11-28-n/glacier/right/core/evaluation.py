import torch
from torch.nn import functional as F


class Evaluation:
    @torch.no_grad()
    def validate(self):
        was_training = self.model.training
        self.model.eval()
        errors = []
        for slope, velocity in self.held_out:
            errors.append(F.mse_loss(self.model(slope), velocity).item())
        self.model.train(was_training)
        return sum(errors) / len(errors)

    @torch.no_grad()
    def bias(self):
        return sum((self.model(slope) - velocity).mean().item() for slope, velocity in self.held_out)
