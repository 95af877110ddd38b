import torch


class BaseRunner:
    """Epoch bookkeeping; subclasses provide the objective and the hooks."""

    def __init__(self, net, optimizer, device="cpu"):
        self.net = net.to(device)
        self.optimizer = optimizer
        self.device = device
        self.history = []

    def objective(self, batch):
        raise NotImplementedError

    def before_update(self):
        pass

    def after_update(self):
        pass

    def update(self, batch):
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.objective(batch)
        loss.backward()
        self.before_update()
        self.optimizer.step()
        self.after_update()
        return loss.item()

    def fit(self, train_loader, val_loader, epochs):
        self.net.train()
        for epoch in range(epochs):
            self.net.train()
            running = [self.update(batch) for batch in train_loader]
            score = self.score(val_loader)
            self.history.append((epoch, sum(running) / len(running), score))
        return self.history

    @torch.no_grad()
    def score(self, loader):
        raise NotImplementedError
