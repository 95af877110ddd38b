import torch


class PointEnv:
    """Walk a point to the origin: left, stay or right."""

    observation_size = 2
    actions = 3

    def __init__(self, horizon=20):
        self.horizon = horizon

    def reset(self):
        self.position = torch.empty(1).uniform_(-2, 2).item()
        self.steps = 0
        return self.observe()

    def observe(self):
        return torch.tensor([self.position, self.steps / self.horizon])

    def step(self, action):
        self.position += 0.3 * (action - 1)
        self.steps += 1
        return self.observe(), -abs(self.position), self.steps >= self.horizon
