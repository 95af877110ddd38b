import torch


class Corridor:
    """Walk right to the goal; every step costs a little."""

    def __init__(self, length=8):
        self.length = length

    def reset(self):
        self.at = 0
        return self.observe()

    def observe(self):
        return torch.tensor([self.at / self.length, 1.0])

    def step(self, action):
        self.at = max(0, self.at + (1 if action == 1 else -1))
        done = self.at >= self.length
        return self.observe(), (1.0 if done else -0.05), done
