import torch
from torch import nn

STATES = 7
GAMMA, LAMBDA, ALPHA = 0.98, 0.7, 0.05


class Walk:
    def __init__(self, seed):
        self.rng = torch.Generator().manual_seed(seed)
        self.state = STATES // 2

    def reset(self):
        self.state = STATES // 2
        return self.observe()

    def observe(self):
        return torch.eye(STATES)[self.state]

    def move(self):
        self.state += 1 if torch.rand((), generator=self.rng) < 0.5 else -1
        done = self.state in (0, STATES - 1)
        reward = 1.0 if self.state == STATES - 1 else 0.0
        return self.observe(), reward, done


class Value(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(STATES, 12), nn.Tanh(), nn.Linear(12, 1))

    def forward(self, s):
        return self.net(s).squeeze(-1)


def decay_traces(value):
    for p in value.parameters():
        if p.grad is not None:
            p.grad.mul_(GAMMA * LAMBDA)


def run_episode(env, value, optimizer, record, limit=25):
    state, done, steps = env.reset(), False, 0
    while not done and steps < limit:
        following, reward, done = env.move()
        v = value(state)
        with torch.no_grad():
            target = reward if done else reward + GAMMA * value(following).item()
        delta = target - v.item()
        decay_traces(value)
        v.backward()
        optimizer.param_groups[0]["lr"] = ALPHA * delta
        optimizer.step()
        record(list(value.parameters()))
        state, steps = following, steps + 1
    return steps


def train(record):
    torch.manual_seed(5)
    env, value = Walk(17), Value()
    optimizer = torch.optim.SGD(value.parameters(), lr=ALPHA, maximize=True)
    for epoch in range(3):
        lengths = []
        for _ in range(4):
            value.zero_grad()
            lengths.append(run_episode(env, value, optimizer, record))
        with torch.no_grad():
            print(epoch, lengths, [round(v, 3) for v in value(torch.eye(STATES)).tolist()])


if __name__ == "__main__":
    train(lambda parameters: None)
