import random

import torch


class PendulumLike:
    observation, action = 2, 1

    def reset(self):
        self.angle, self.speed, self.time = random.uniform(-1, 1), 0.0, 0
        return self.state()

    def state(self):
        return torch.tensor([self.angle, self.speed])

    def step(self, action):
        self.speed = 0.9 * self.speed + 0.2 * self.angle + 0.3 * action.item()
        self.angle = max(-2.0, min(2.0, self.angle + 0.2 * self.speed))
        self.time += 1
        return self.state(), -(self.angle**2) - 0.1 * self.speed**2, self.time >= 25


class Replay:
    def __init__(self, capacity):
        self.items, self.capacity = [], capacity

    def add(self, *transition):
        self.items = self.items[-self.capacity + 1 :] + [transition]

    def sample(self, count):
        state, action, reward, following = zip(*random.choices(self.items, k=count))
        return torch.stack(state), torch.stack(action), torch.tensor(reward), torch.stack(following)
