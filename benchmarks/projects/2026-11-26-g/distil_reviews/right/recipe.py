class Recipe:
    """What happens around the backward of a batch."""

    def __init__(self, accelerator, model, optimizer, schedule, max_norm):
        self.accelerator, self.model = accelerator, model
        self.optimizer, self.schedule = optimizer, schedule
        self.max_norm, self.batches = max_norm, 0

    def before(self):
        self.batches += 1

    def after(self):
        if self.accelerator.sync_gradients:
            self.accelerator.clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.optimizer.step()
        self.schedule.step()
        self.optimizer.zero_grad()
