import torch


class Corridor:
    """A batch of walkers that have to reach the right end of a corridor."""

    def __init__(self, walkers: int, length: int = 8):
        self.walkers, self.length = walkers, length
        self.pos = torch.zeros(walkers, dtype=torch.long)

    def observe(self):
        return torch.nn.functional.one_hot(self.pos, self.length).float()

    def reset(self):
        self.pos.zero_()
        return self.observe()

    def step(self, action):
        move = action * 2 - 1
        self.pos = (self.pos + move).clamp(0, self.length - 1)
        done = self.pos == self.length - 1
        reward = done.float() - 0.02
        self.pos = torch.where(done, torch.zeros_like(self.pos), self.pos)
        return self.observe(), reward, done
