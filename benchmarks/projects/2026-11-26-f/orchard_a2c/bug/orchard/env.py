import torch


class Orchard:
    """A picker walks along a row of trees; ripe ones pay, every step costs."""

    def __init__(self, trees=8, seed=0):
        self.trees = trees
        self.rng = torch.Generator().manual_seed(seed)

    def reset(self):
        self.ripe = (torch.rand(self.trees, generator=self.rng) < 0.5).float()
        self.at, self.left = 0, 14
        return self.view()

    def view(self):
        place = torch.zeros(self.trees)
        place[self.at] = 1.0
        return torch.cat([self.ripe, place])

    def step(self, action):
        reward = -0.05
        if action == 2:
            reward += self.ripe[self.at].item()
            self.ripe[self.at] = 0.0
        else:
            self.at = min(max(self.at + (1 if action == 1 else -1), 0), self.trees - 1)
        self.left -= 1
        return self.view(), reward, self.left == 0
