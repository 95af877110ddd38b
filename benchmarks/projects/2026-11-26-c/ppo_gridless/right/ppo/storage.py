import torch


class RolloutStorage:
    def __init__(self, num_steps, gamma=0.95, lam=0.9):
        self.num_steps, self.gamma, self.lam = num_steps, gamma, lam
        self.clear()

    def clear(self):
        self.steps = []
        self.flat = {}

    def insert(self, obs, action, logp, value, reward, done):
        self.steps.append((obs, action, logp, value, reward, done))

    def compute_returns(self, next_value):
        gae = torch.zeros_like(next_value)
        advs = []
        for obs, action, logp, value, reward, done in reversed(self.steps):
            mask = 1.0 - done
            delta = reward + self.gamma * next_value * mask - value
            gae = delta + self.gamma * self.lam * mask * gae
            advs.insert(0, gae)
            next_value = value
        names = ("obs", "action", "logp", "value")
        cols = {n: torch.cat([s[i] for s in self.steps]) for i, n in enumerate(names)}
        adv = torch.cat(advs)
        cols["ret"] = adv + cols["value"]
        cols["adv"] = (adv - adv.mean()) / (adv.std() + 1e-8)
        self.flat = cols

    def minibatches(self, n):
        order = torch.randperm(len(self.flat["obs"]))
        for idx in order.chunk(n):
            yield {k: v[idx] for k, v in self.flat.items()}
