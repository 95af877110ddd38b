class Striker:
    def __init__(self, net, optimizer, window, reading):
        self.net, self.optimizer = net, optimizer
        self.window, self.reading = window, reading

    def epoch(self, loader):
        self.net.train()
        total = 0.0
        for i, (alloy, wear) in enumerate(loader):
            loss = self.reading(self.net(alloy), wear)
            self.window.take(loss)
            total += self.reading.per_strike(loss.item())
            if self.window.closes(i, len(loader)):
                self.optimizer.step()
                self.optimizer.zero_grad()
        return total
