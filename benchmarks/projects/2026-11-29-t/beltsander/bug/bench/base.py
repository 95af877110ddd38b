class Trainer:
    """Template of a training run; hooks are for the subclasses."""

    def __init__(self, batches, window, epochs):
        self.batches, self.window, self.epochs = batches, window, epochs
        self.history = []
        self.net = self.make_net()
        self.optimizer = self.make_optimizer()
        self.schedule = self.make_schedule()

    def after_micro(self, loss):
        pass

    def before_step(self):
        pass

    def after_step(self):
        pass

    def fit(self):
        for _ in range(self.epochs):
            self.net.train()
            for i, batch in enumerate(self.batches):
                loss = self.loss_of(batch)
                (loss / self.window).backward()
                self.after_micro(loss)
                if (i + 1) % self.window == 0 or i + 1 == len(self.batches):
                    self.apply()

    def apply(self):
        self.before_step()
        self.optimizer.step()
        self.after_step()
