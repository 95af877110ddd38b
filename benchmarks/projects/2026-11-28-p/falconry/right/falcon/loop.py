from torch.nn.functional import huber_loss


class Loop:
    def __init__(self, net, optimizer, window, callbacks):
        self.net, self.optimizer = net, optimizer
        self.window, self.callbacks = window, callbacks
        self.last = 0.0

    def run(self, batches, epochs):
        for _ in range(epochs):
            self.net.train()
            self.epoch(batches)

    def epoch(self, batches):
        self.optimizer.zero_grad()
        for i, (track, dive) in enumerate(batches):
            loss = huber_loss(self.net(track), dive)
            (loss / self.window).backward()
            self.last = loss.item()
            for callback in self.callbacks:
                callback.after_backward(self)
            if (i + 1) % self.window == 0 or i + 1 == len(batches):
                self.update()
            for callback in self.callbacks:
                callback.batch_end(self)

    def update(self):
        for callback in self.callbacks:
            callback.before_update(self)
        self.optimizer.step()
        for callback in self.callbacks:
            callback.after_update(self)
        self.optimizer.zero_grad()
