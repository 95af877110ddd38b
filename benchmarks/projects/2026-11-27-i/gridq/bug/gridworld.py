import random


class Corridor:
    """Walk right to the goal; left costs."""

    def __init__(self, length=7, limit=30):
        self.length, self.limit = length, limit

    def reset(self):
        self.pos, self.t = 0, 0
        return self._obs()

    def _obs(self):
        return [self.pos / self.length, self.t / self.limit, 1.0]

    def step(self, action):
        self.t += 1
        move = 1 if action == 1 else -1
        if random.random() < 0.1:
            move = -move
        self.pos = max(0, self.pos + move)
        done = self.pos >= self.length or self.t >= self.limit
        reward = 1.0 if self.pos >= self.length else -0.02
        return self._obs(), reward, done
