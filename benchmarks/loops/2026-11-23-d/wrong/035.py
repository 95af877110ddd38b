import random
from collections import deque

import torch
from torch import nn

from envs import make

q = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
target = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
target.load_state_dict(q.state_dict())
opt = torch.optim.Adam(q.parameters(), lr=1e-3)
memory = deque(maxlen=5000)
env = make("CartPole-v1")
opt.zero_grad()
frames = 0


def learn(batch):
    s, a, r, s2, d = (torch.stack(t) for t in zip(*batch))
    with torch.no_grad():
        y = r + 0.99 * (1 - d) * target(s2).max(1).values
    loss = nn.functional.smooth_l1_loss(q(s).gather(1, a[:, None]).squeeze(1), y)
    loss.backward()
    opt.step()
    return loss.item()


for episode in range(6):
    state, done = env.reset(), False
    while not done:
        with torch.no_grad():
            action = random.randrange(2) if random.random() < 0.1 else q(state).argmax().item()
        nxt, reward, done = env.step(action)
        memory.append((state, torch.tensor(action), torch.tensor(reward), nxt, torch.tensor(float(done))))
        state = nxt
        frames += 1
        if len(memory) >= 16:
            learn(random.sample(memory, 16))
        if frames % 50 == 0:
            target.load_state_dict(q.state_dict())
    print("episode", episode, "frames", frames)
