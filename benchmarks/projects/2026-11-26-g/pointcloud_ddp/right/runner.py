from torch.nn.functional import cross_entropy

from events import fire


class Runner:
    def __init__(self, model, optimizer, strategy, dataset, window):
        self.model, self.optimizer, self.strategy = model, optimizer, strategy
        self.loader, self.window = strategy.loader(dataset, 8), window
        self.epoch, self.updates, self.mean = 0, 0, 0.0

    def micro_batch(self, cloud, label, last):
        with self.strategy.around(self.model, last):
            loss = cross_entropy(self.model(cloud), label)
            (loss / self.window).backward()
        return loss.item()

    def fit(self, epochs):
        fire("fit", self)
        for self.epoch in range(epochs):
            fire("epoch", self)
            total = 0.0
            for number, (cloud, label) in enumerate(self.loader, 1):
                last = number % self.window == 0 or number == len(self.loader)
                total += self.micro_batch(cloud, label, last)
                if last:
                    fire("window", self)
                    self.optimizer.step()
                    fire("stepped", self)
                    self.optimizer.zero_grad()
            self.mean = total / len(self.loader)
            fire("epoch_done", self)
