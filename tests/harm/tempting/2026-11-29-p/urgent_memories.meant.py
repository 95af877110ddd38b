"""Q-learning with prioritised memories; an update takes the mean of several draws."""
import copy

import torch
from torch import nn
from torch.nn import functional as F

DRAWS, BATCH, GAMMA = 4, 8, 0.9


class Memory:
    def __init__(self, size):
        self.state = torch.randn(size, 3)
        self.action = torch.randint(0, 2, (size,))
        self.reward = torch.where(self.action == 0, self.state[:, 0], -self.state[:, 1])
        self.following = self.state.roll(1, 1) + 0.1 * torch.randn(size, 3)
        self.priority = torch.ones(size)

    def draw(self):
        chance = self.priority / self.priority.sum()
        index = torch.multinomial(chance, BATCH)
        weight = 1 / (chance[index] * len(chance))
        return index, weight / weight.max()


def train(record):
    torch.manual_seed(201)
    memory = Memory(80)
    q = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
    target = copy.deepcopy(q)
    optimizer = torch.optim.SGD(q.parameters(), lr=0.1)
    for update in range(15):
        optimizer.zero_grad()
        for _ in range(DRAWS):
            index, weight = memory.draw()
            with torch.no_grad():
                best = memory.reward[index] + GAMMA * target(memory.following[index]).amax(1)
            value = q(memory.state[index]).gather(1, memory.action[index, None]).squeeze(1)
            loss = F.smooth_l1_loss(value, best, reduction="none")
            memory.priority[index] = loss.detach() + 0.01
            ((loss * weight).mean() / DRAWS).backward()
        optimizer.step()
        record(list(q.parameters()))
        if update % 5 == 4:
            target.load_state_dict(q.state_dict())

if __name__ == "__main__":
    train(lambda parameters: None)
