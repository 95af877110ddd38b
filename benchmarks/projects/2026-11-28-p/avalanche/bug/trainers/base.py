class Trainer:
    """Forward, backward, update; everything else is a hook."""

    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.seen = []

    def fit(self, days, epochs):
        for _ in range(epochs):
            self.model.train()
            for batch in days:
                self.before_batch()
                loss = self.loss(batch)
                loss.backward()
                self.after_backward()
                self.optimizer.step()
                self.after_step()
                self.seen.append(loss.item())
        return round(self.seen[-1], 4)

    def reset(self):
        for p in self.model.parameters():
            p.grad = None

    def loss(self, batch):
        raise NotImplementedError

    def before_batch(self):
        pass

    def after_backward(self):
        pass

    def after_step(self):
        pass
