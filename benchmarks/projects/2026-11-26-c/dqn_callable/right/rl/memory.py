import random
from collections import deque

import torch


class ReplayMemory:
    def __init__(self, capacity=2000):
        self.data = deque(maxlen=capacity)

    def push(self, *transition):
        self.data.append(transition)

    def __len__(self):
        return len(self.data)

    def sample(self, n):
        obs, action, reward, next_obs, done = zip(*random.sample(self.data, n))
        return (torch.stack(obs), torch.tensor(action), torch.tensor(reward),
                torch.stack(next_obs), torch.tensor(done))
