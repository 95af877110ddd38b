import torch


class Loop:
    def __init__(self, model, criterion, optimizer, callbacks, batch_size):
        self.model, self.criterion, self.optimizer = model, criterion, optimizer
        self.callbacks = callbacks
        self.batch_size = batch_size
        self.scaler = torch.amp.GradScaler("cpu", init_scale=2.0**10)
        self.epoch = 0

    def call(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)

    def run(self, loader, epochs):
        self.model.train()
        for self.epoch in range(epochs):
            self.call("on_epoch_start")
            for wave, text in loader:
                self.optimizer.zero_grad()
                loss = self.criterion(self.model(wave), text)
                self.scaler.scale(loss).backward()
                self.call("on_gradients")
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.call("on_batch_end", loss)
            self.call("on_epoch_end")
