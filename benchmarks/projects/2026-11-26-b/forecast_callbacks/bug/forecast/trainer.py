from torch.nn import functional as F


class Trainer:
    def __init__(self, model, optimizer, settings, callbacks):
        self.model = model
        self.optimizer = optimizer
        self.settings = settings
        self.callbacks = callbacks
        self.metrics = {}

    def call(self, hook):
        for callback in self.callbacks:
            getattr(callback, hook)(self)

    def fit(self, make_batches):
        accumulate = self.settings.accumulate
        self.optimizer.zero_grad()
        for self.epoch in range(self.settings.epochs):
            self.model.train()
            total = 0.0
            for self.index, (past, future) in enumerate(make_batches()):
                loss = F.smooth_l1_loss(self.model(past), future)
                (loss / accumulate).backward()
                total += loss.item()
                if (self.index + 1) % accumulate == 0:
                    self.call("before_update")
                    self.optimizer.step()
                    self.call("after_update")
                    self.optimizer.zero_grad()
                self.call("after_batch")
            self.metrics["loss"] = total / self.settings.batches_per_epoch
            self.call("after_epoch")
