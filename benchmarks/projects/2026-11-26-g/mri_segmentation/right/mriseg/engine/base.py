class Engine:
    def __init__(self, net, optimizer, window):
        self.net, self.optimizer, self.window = net, optimizer, window
        self.filled = 0

    def loss(self, batch):
        raise NotImplementedError

    def before_epoch(self, number):
        self.net.train()

    def begin(self):
        if self.filled == 0:
            self.optimizer.zero_grad()

    def micro(self, batch):
        self.begin()
        loss = self.loss(batch)
        (loss / self.window).backward()
        self.filled += 1
        return loss.item()

    def flush(self):
        self.optimizer.step()
        self.filled = 0

    def fit(self, batches, held_out, epochs):
        for number in range(epochs):
            self.before_epoch(number)
            total = self.run_epoch(batches)
            print(f"{number}: loss {total:.4f} dice {self.dice(held_out):.3f}")
