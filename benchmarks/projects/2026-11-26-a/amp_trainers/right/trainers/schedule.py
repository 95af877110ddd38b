from torch.optim.lr_scheduler import MultiStepLR


class MilestonesMixin:
    """A rate that drops at the given epochs."""

    milestones = (1, 2)
    gamma = 0.3

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.scheduler = MultiStepLR(self.optimizer, self.milestones, gamma=self.gamma)

    def epoch_ends(self, epoch, loss):
        super().epoch_ends(epoch, loss)
        self.scheduler.step()
