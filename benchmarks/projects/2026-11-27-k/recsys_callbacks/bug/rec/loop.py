class Loop:
    def __init__(self, model, optimizer, objective, accumulate, callbacks=()):
        self.model, self.optimizer, self.objective = model, optimizer, objective
        self.accumulate = accumulate
        self.callbacks = list(callbacks)
        self.epoch = 0
        self.mean_loss = float("nan")

    def emit(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def run(self, loader, epochs):
        self.model.train()
        self.optimizer.zero_grad()
        for self.epoch in range(epochs):
            self.emit("on_epoch_begin")
            total = 0.0
            for i, batch in enumerate(loader):
                loss = self.objective(self.model, *batch)
                (loss / self.accumulate).backward()
                total += loss.item()
                if (i + 1) % self.accumulate == 0 or i + 1 == len(loader):
                    self.optimizer.step()
                    self.emit("on_update")
                    self.emit("on_update_end")
                    self.optimizer.zero_grad()
                self.emit("on_batch_end")
            self.mean_loss = total / len(loader)
            self.emit("on_epoch_end")
