"""The loop that every recipe shares. Recipes override hooks, never `fit`."""
import torch


class BaseTrainer:
    def __init__(self, model, optimizer, train_loader, valid_loader, grad_accum=1, epochs=1):
        self.model = model
        self.optimizer = optimizer
        self.train_loader = train_loader
        self.valid_loader = valid_loader
        self.grad_accum = grad_accum
        self.epochs = epochs
        self.updates = 0

    # -- hooks ---------------------------------------------------------------
    def compute_loss(self, batch):
        raise NotImplementedError

    def backward(self, loss):
        (loss / self.grad_accum).backward()

    def on_after_backward(self):
        pass

    def on_before_update(self):
        pass

    def on_epoch_end(self, epoch, train_loss, valid_loss):
        print(f"epoch {epoch}: train {train_loss:.4f} valid {valid_loss:.4f} ({self.updates} updates)")

    # -- the loop ------------------------------------------------------------
    def fit(self):
        for epoch in range(self.epochs):
            train_loss = self.train_epoch()
            self.on_epoch_end(epoch, train_loss, self.validate())

    def train_epoch(self):
        self.model.train()
        self.optimizer.zero_grad()
        total, batches = 0.0, len(self.train_loader)
        for index, batch in enumerate(self.train_loader, 1):
            loss = self.compute_loss(batch)
            self.backward(loss)
            self.on_after_backward()
            total += loss.item()
            if index % self.grad_accum == 0 or index == batches:
                self.on_before_update()
                self.optimizer.step()
                self.optimizer.zero_grad()
                self.updates += 1
        return total / batches

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        losses = [self.compute_loss(batch).item() for batch in self.valid_loader]
        return sum(losses) / len(losses)
