"""Q-learning on a ring of states; gradients are gathered over a few transitions."""
import copy

import torch
from torch import nn
from torch.nn import functional as F

STATES = 8
GATHER = 4
REFRESH = 12


def due(number, every):
    return number % every == 0


def one_hot(states):
    return F.one_hot(states, STATES).float()


def transitions(count, generator):
    for _ in range(count):
        state = torch.randint(0, STATES, (16,), generator=generator)
        action = torch.randint(0, 2, (16,), generator=generator)
        after = (state + 2 * action - 1) % STATES
        yield state, action, (after == 3).float(), after


def train(record):
    torch.manual_seed(22)
    online = nn.Sequential(nn.Linear(STATES, 16), nn.ReLU(), nn.Linear(16, 2))
    target = copy.deepcopy(online)
    optimizer = torch.optim.SGD(online.parameters(), lr=0.5, momentum=0.9)
    stream = transitions(48, torch.Generator().manual_seed(2))
    for number, (state, action, reward, after) in enumerate(stream):
        if due(number, REFRESH):
            target.load_state_dict(online.state_dict())
        with torch.no_grad():
            wanted = reward + 0.8 * target(one_hot(after)).max(1).values
        value = online(one_hot(state)).gather(1, action[:, None]).squeeze(1)
        (F.smooth_l1_loss(value, wanted) / GATHER).backward()
        if due(number + 1, GATHER):
            optimizer.step()
            optimizer.zero_grad()
            record(list(online.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
