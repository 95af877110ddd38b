from crane.objective import sway_loss


class Learner:
    def __init__(self, net, optimizer, window, callbacks):
        self.net, self.optimizer = net, optimizer
        self.window, self.callbacks = window, callbacks

    def fit(self, batches, epochs):
        for _ in range(epochs):
            self.epoch(batches)
            self.callbacks.after_epoch(self)

    def epoch(self, batches):
        self.net.train()
        self.optimizer.zero_grad()
        for i, batch in enumerate(batches):
            shown, weighted = sway_loss(self.net, batch, self.window)
            weighted.backward()
            self.callbacks.after_backward(self)
            self.callbacks.after_loss(self, shown)
            if (i + 1) % self.window == 0 or (i + 1) == len(batches):
                self.callbacks.before_step(self)
                self.optimizer.step()
                self.optimizer.zero_grad()
