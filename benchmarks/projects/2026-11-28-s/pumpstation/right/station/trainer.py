import torch
from torch.nn import functional as F

from .amp import AmpMixin
from .limits import LimitMixin
from .rates import RateMixin


class PumpTrainer(AmpMixin, LimitMixin, RateMixin):
    def __init__(self, model, lr, limit, moves):
        self.model = model
        self.optimizer = torch.optim.RMSprop(model.parameters(), lr=lr)
        self.limit = limit
        self.setup_amp()
        self.setup_rates(moves)

    def train_step(self, state, pressure):
        with self.autocast():
            loss = F.mse_loss(self.model(state), pressure)
        self.backward(loss)
        self.clip()
        self.apply()
        self.advance()
        return loss.item()

    def train_epoch(self, batches):
        self.model.train()
        losses = [self.train_step(*batch) for batch in batches]
        return sum(losses) / len(losses)
