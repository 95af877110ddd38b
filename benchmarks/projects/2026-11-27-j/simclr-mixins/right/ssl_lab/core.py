class Loop:
    """Hooks in the order in which they run; mixins chain them with super()."""

    def __init__(self, encoder, optimizer, window=4):
        self.encoder, self.optimizer, self.window = encoder, optimizer, window

    def epoch_start(self, epoch):
        self.encoder.train()

    def epoch_end(self, epoch):
        pass

    def micro_batch_end(self):
        pass

    def pre_step(self):
        pass

    def compute_loss(self, batch):
        raise NotImplementedError

    def fit(self, batches, epochs):
        for epoch in range(epochs):
            self.epoch_start(epoch)
            seen = 0.0
            for i, batch in enumerate(batches):
                loss = self.compute_loss(batch)
                loss.backward()
                self.micro_batch_end()
                seen += loss.item()
                if (i + 1) % self.window == 0 or i + 1 == len(batches):
                    self.pre_step()
                    self.optimizer.step()
                    self.optimizer.zero_grad()
            self.epoch_end(epoch)
            print(f"{epoch}: {seen:.3f} lr {self.optimizer.param_groups[0]['lr']:.4f}")
