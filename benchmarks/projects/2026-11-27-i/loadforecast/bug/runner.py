from torch.nn import functional as F

from settings import ACCUM, LOSS_WEIGHT


class Runner:
    def __init__(self, model, optimizer, callbacks):
        self.model, self.optimizer = model, optimizer
        self.callbacks = callbacks
        self.last_loss = None

    def emit(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def run_epoch(self, batches):
        self.model.train()
        self.optimizer.zero_grad()
        for n, (past, future) in enumerate(batches, 1):
            loss = F.l1_loss(self.model(past), future)
            self.last_loss = loss.item()
            (loss * LOSS_WEIGHT).backward()
            self.emit("on_batch_end")
            if n % ACCUM == 0 or n == len(batches):
                self.optimizer.step()
                self.optimizer.zero_grad()
        self.emit("on_epoch_end")
