import torch


class Trainer:
    """One network, one optimizer, mixed precision. Subclasses give the loss."""

    def __init__(self, net, opt, precision=torch.float16):
        self.net, self.opt, self.precision = net, opt, precision
        self.scaler = torch.amp.GradScaler("cpu", init_scale=2.0**10)

    def loss(self, batch):
        raise NotImplementedError

    def before_step(self):
        self.scaler.unscale_(self.opt)

    def apply(self):
        self.scaler.step(self.opt)

    def train_batch(self, batch):
        self.opt.zero_grad()
        with torch.autocast("cpu", dtype=self.precision):
            loss = self.loss(batch)
        self.scaler.scale(loss).backward()
        self.before_step()
        self.apply()
        self.scaler.update()
        return loss.item()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.net.train()
            losses = [self.train_batch(batch) for batch in loader]
            print(type(self).__name__, epoch, round(sum(losses) / len(losses), 4))
