import torch
from torch.nn.utils import clip_grad_norm_

from vae import elbo


class Trainer:
    def __init__(self, model, optimizer, settings, callbacks):
        self.model, self.optimizer, self.settings = model, optimizer, settings
        self.callbacks = callbacks
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model.to(self.device)
        self.scaler = torch.amp.GradScaler(self.device, enabled=settings.amp)

    def call(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)

    def step(self, x):
        self.optimizer.zero_grad()
        with torch.autocast(self.device, dtype=torch.float16, enabled=self.settings.amp):
            out = self.model(x)
        loss = elbo(x, *(t.float() for t in out))
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)
        self.call("on_gradients")
        clip_grad_norm_(self.model.parameters(), self.settings.max_norm)
        self.scaler.step(self.optimizer)
        self.call("on_step_end")
        return loss.item()

    def fit(self, loader):
        self.model.train()
        for epoch in range(self.settings.epochs):
            losses = [self.step(x.to(self.device)) for (x,) in loader]
            self.epoch_loss = sum(losses) / len(losses)
            self.call("on_epoch_end", epoch)
