import random


class Corridor:
    """Walk right to the goal; each step costs a little."""

    n_obs, n_actions = 6, 2

    def __init__(self, seed=0):
        self.rng = random.Random(seed)

    def _obs(self):
        return [1.0 if i == self.pos else 0.0 for i in range(self.n_obs)]

    def reset(self):
        self.pos, self.t = self.rng.randrange(3), 0
        return self._obs()

    def step(self, action):
        self.pos = max(0, min(self.n_obs - 1, self.pos + (1 if action else -1)))
        self.t += 1
        goal = self.pos == self.n_obs - 1
        return self._obs(), (1.0 if goal else -0.05), goal or self.t >= 20
