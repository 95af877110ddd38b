import random


class Corridor:
    """Walk right along a line; falling back left costs."""

    def __init__(self, length=8, limit=24, seed=0):
        self.length, self.limit = length, limit
        self.rng = random.Random(seed)

    def reset(self):
        self.pos, self.t = self.rng.randrange(self.length // 2), 0
        return self._obs()

    def _obs(self):
        return [1.0 if i == self.pos else 0.0 for i in range(self.length)]

    def step(self, action):
        self.t += 1
        self.pos = min(max(self.pos + (1 if action else -1), 0), self.length - 1)
        done = self.pos == self.length - 1
        reward = 1.0 if done else -0.05
        return self._obs(), reward, done or self.t >= self.limit
