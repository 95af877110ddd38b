from core.evaluation import Evaluation


class Trainer(Evaluation):
    """Subclasses give `model`, `optimizer` and `micro_batches`, and say what the loss is."""

    def training_loss(self, batch):
        raise NotImplementedError

    def share(self, loss):
        return loss / self.micro_batches

    def fit(self, epochs):
        self.model.train()
        for epoch in range(epochs):
            self.epoch()
            print(epoch, f"{self.validate():.5f}")

    def epoch(self):
        self.optimizer.zero_grad(set_to_none=True)
        for index, batch in enumerate(self.batches):
            loss = self.training_loss(batch)
            loss.backward()
            if (index + 1) % self.micro_batches == 0 or index + 1 == len(self.batches):
                self.optimizer.step()
                self.optimizer.zero_grad(set_to_none=True)
