from torch.nn.utils import clip_grad_norm_

from .checks import station_check


class Trainer:
    def __init__(self, net, optimizer, max_norm):
        self.net, self.optimizer = net, optimizer
        self.max_norm = max_norm
        self.losses = []

    def loss(self, batch):
        raise NotImplementedError

    def backward(self, loss):
        loss.backward()

    def ready_to_clip(self):
        pass

    def apply(self):
        self.optimizer.step()

    def before_epoch(self, epoch):
        self.losses = []

    def turn(self, batch):
        self.optimizer.zero_grad()
        loss = self.loss(batch)
        self.backward(loss)
        self.ready_to_clip()
        clip_grad_norm_(self.net.parameters(), self.max_norm)
        self.apply()
        return loss.item()

    def fit(self, loader, held_out, epochs):
        self.net.train()
        for epoch in range(epochs):
            self.before_epoch(epoch)
            for batch in loader:
                self.losses.append(self.turn(batch))
            error = station_check(self.net, held_out)
            print(f"{epoch}: {sum(self.losses) / len(self.losses):.4f} {error:.4f}")
