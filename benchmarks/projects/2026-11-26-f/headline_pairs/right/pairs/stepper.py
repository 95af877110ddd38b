from torch.nn.utils import clip_grad_norm_


class BackwardStep:
    """Backward, and on demand the clip and the update, in one call."""

    def __init__(self, optimizer):
        self.optimizer = optimizer

    def __call__(self, loss, parameters=None, clip=None, update=True):
        loss.backward()
        if clip is not None:
            clip_grad_norm_(parameters, clip)
        if update:
            self.optimizer.step()
            self.optimizer.zero_grad()

    def state_dict(self):
        return self.optimizer.state_dict()

    def load_state_dict(self, state):
        self.optimizer.load_state_dict(state)
