from torch.nn.utils import clip_grad_norm_


class Callback:
    def gradients_ready(self, trainer):
        pass

    def stepped(self, trainer):
        pass

    def epoch_over(self, trainer):
        pass


class Pruner(Callback):
    """Cuts the gradients back to `most`."""

    def __init__(self, most):
        self.most = most

    def stepped(self, trainer):
        clip_grad_norm_(trainer.net.parameters(), self.most)


class History(Callback):
    def __init__(self):
        self.losses = []

    def stepped(self, trainer):
        self.losses.append(trainer.loss)


class Decay(Callback):
    def epoch_over(self, trainer):
        trainer.schedule.step
        print("rate", trainer.schedule.get_last_lr())
