import random
from collections import deque
from typing import NamedTuple

import torch


class Batch(NamedTuple):
    obs: torch.Tensor
    action: torch.Tensor
    reward: torch.Tensor
    nxt: torch.Tensor
    done: torch.Tensor


class Replay:
    def __init__(self, size):
        self.items = deque(maxlen=size)

    def push(self, *transition):
        self.items.append(transition)

    def __len__(self):
        return len(self.items)

    def sample(self, n) -> Batch:
        obs, action, reward, nxt, done = zip(*random.sample(self.items, n))
        as_f = lambda v: torch.tensor(v, dtype=torch.float32)
        return Batch(as_f(obs), torch.tensor(action), as_f(reward), as_f(nxt), as_f(done))
