import random


class Building:
    """One lift; calls come at random floors and pay when they are served early."""

    def __init__(self, floors=5, seed=0):
        self.floors, self.rng = floors, random.Random(seed)

    def reset(self):
        self.at, self.clock = 0, 0
        self.calls = [0.0] * self.floors
        return self.state()

    def state(self):
        place = [0.0] * self.floors
        place[self.at] = 1.0
        return place + self.calls

    def step(self, action):
        self.clock += 1
        if self.rng.random() < 0.3:
            self.calls[self.rng.randrange(self.floors)] = 1.0
        if action < 2:
            self.at = min(max(self.at + (1 if action else -1), 0), self.floors - 1)
            reward = 0.0
        else:
            reward, self.calls[self.at] = self.calls[self.at], 0.0
        return self.state(), reward - 0.02 * sum(self.calls), self.clock >= 25
