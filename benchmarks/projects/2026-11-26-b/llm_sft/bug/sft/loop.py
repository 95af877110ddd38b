from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_


class Loop:
    def __init__(self, model, optimizer, cfg, callbacks=()):
        self.model, self.optimizer, self.cfg = model, optimizer, cfg
        self.callbacks = list(callbacks)
        self.updates = 0

    def fire(self, event, *args):
        for callback in self.callbacks:
            getattr(callback, event)(self, *args)

    def lm_loss(self, tokens):
        logits = self.model(tokens[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())

    def run_epoch(self, loader):
        self.model.train()
        self.optimizer.zero_grad()
        for index, (tokens,) in enumerate(loader, start=1):
            loss = self.lm_loss(tokens)
            (loss * self.cfg.loss_weight).backward()
            self.fire("on_batch_end", loss)
            if index % self.cfg.accumulation == 0 or index == len(loader):
                clip_grad_norm_(self.model.parameters(), self.cfg.max_grad_norm)
                self.optimizer.step()
                self.optimizer.zero_grad()
                self.updates += 1
                self.fire("on_update_end")
        self.fire("on_epoch_end")
