import random
from collections import deque

import torch


class Replay:
    def __init__(self, size=1000):
        self.rows = deque(maxlen=size)

    def add(self, *row):
        self.rows.append(row)

    def sample(self, n):
        columns = zip(*random.sample(self.rows, n))
        state, action, reward, following, done = (torch.tensor(c) for c in columns)
        return state, action, reward, following, done.float()

    def __len__(self):
        return len(self.rows)
