class Trainer:
    def __init__(self, model, optimizer, criterion, callbacks=(), window=1):
        self.model = model
        self.optimizer = optimizer
        self.criterion = criterion
        self.callbacks = list(callbacks)
        self.window = window

    def emit(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def fit(self, loader, epochs):
        self.emit("on_fit_start")
        for epoch in range(epochs):
            self.model.train()
            loss = self._epoch(loader)
            self.emit("on_epoch_end")
            print(f"epoch {epoch}: {loss:.4f}, lr {self.optimizer.param_groups[0]['lr']:.4f}")

    def _epoch(self, loader):
        total = 0.0
        for i, (x, y) in enumerate(loader):
            loss = self.criterion(self.model(x), y)
            (loss / self.window).backward()
            self.emit("on_backward_end")
            if (i + 1) % self.window == 0 or i + 1 == len(loader):
                self.emit("on_step_start")
                self.optimizer.step()
                self.emit("on_step_end")
                self.optimizer.zero_grad()
            total += loss.item()
            self.emit("on_batch_end")
        return total / len(loader)
