import torch


class TrainerBase:
    def __init__(self, model, lr, **options):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.options = options

    def loss(self, *batch):
        raise NotImplementedError

    def backward(self, loss):
        loss.backward()

    def before_step(self):
        """Last chance to touch the gradients."""

    def optimizer_step(self):
        self.optimizer.step()
        self.optimizer.zero_grad()

    def train_epoch(self, batches):
        self.model.train()
        history = []
        for batch in batches:
            loss = self.loss(*batch)
            self.backward(loss)
            self.before_step()
            self.optimizer_step()
            history.append(loss.item())
        return sum(history) / len(history)
