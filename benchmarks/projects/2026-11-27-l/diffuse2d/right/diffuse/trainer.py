import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, net, noise, optimizer, precision, callbacks=()):
        self.net, self.noise, self.optimizer = net, noise, optimizer
        self.precision, self.callbacks = precision, callbacks

    def objective(self, x0):
        t = torch.randint(self.noise.steps, (len(x0),))
        eps = torch.randn_like(x0)
        return F.mse_loss(self.net(self.noise.corrupt(x0, t, eps), t), eps)

    def step(self, x0):
        self.optimizer.zero_grad()
        with self.precision.step_scope():
            loss = self.objective(x0)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.net.train()
            losses = [self.step(x0) for (x0,) in loader]
            for callback in self.callbacks:
                callback.on_epoch_end(self, epoch, sum(losses) / len(losses))
