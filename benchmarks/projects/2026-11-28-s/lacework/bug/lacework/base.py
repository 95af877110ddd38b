from .meters import Mean


class BaseTrainer:
    def __init__(self, net, optimizer, epochs):
        self.net = net
        self.optimizer = optimizer
        self.epochs = epochs
        self.means = []

    def loss(self, batch):
        raise NotImplementedError

    def apply(self):
        """One update; leaves the gradients clear for the next batch."""
        self.optimizer.step()
        self.optimizer.zero_grad()

    def fit(self, batches):
        for _ in range(self.epochs):
            self.net.train()
            meter = Mean()
            for batch in batches:
                loss = self.loss(batch)
                loss.backward()
                self.apply()
                meter.add(loss, len(batch[0]))
            self.means.append(meter.read())
