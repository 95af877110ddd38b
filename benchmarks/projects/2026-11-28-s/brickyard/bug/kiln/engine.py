from torch.nn import functional as F


class Engine:
    def __init__(self, model, optimizer, callbacks):
        self.model, self.optimizer = model, optimizer
        self.callbacks = callbacks
        self.notes = []
        self.last_loss = None

    def fit(self, batches, epochs):
        done = 0
        for _ in range(epochs):
            self.model.train()
            for x, y in batches:
                self.optimizer.zero_grad()
                loss = F.cross_entropy(self.model(x), y)
                loss.backward()
                for callback in self.callbacks:
                    callback.before_update(self)
                self.optimizer.step()
                done += 1
                self.last_loss = loss.item()
                for callback in self.callbacks:
                    callback.after_update(self, done)
