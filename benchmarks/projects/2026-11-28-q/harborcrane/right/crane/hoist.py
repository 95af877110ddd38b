class Hoist:
    """Full precision; half of it is in amp.py."""

    def __init__(self, net, optimizer, ramp, window):
        self.net, self.optimizer, self.ramp, self.window = net, optimizer, ramp, window

    def forward(self, batch):
        box, sway = batch
        return (self.net(box) - sway).abs().mean()

    def pull(self, loss):
        (loss / self.window).backward()

    def drop(self):
        self.optimizer.step()
        self.optimizer.zero_grad()

    def settle(self):
        """Behind each update."""
        self.ramp.step()

    def lift(self, load):
        total = 0.0
        for n, batch in enumerate(load, start=1):
            loss = self.forward(batch)
            self.pull(loss)
            total += loss.item()
            if n % self.window == 0 or n == len(load):
                self.drop()
                self.settle()
        return total / len(load)
