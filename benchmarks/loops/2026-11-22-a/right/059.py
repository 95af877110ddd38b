import collections
import random

import gymnasium as gym
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn, optim


class QNet(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, act))

    def forward(self, x):
        return self.net(x)


class Buffer:
    def __init__(self, size):
        self.data = collections.deque(maxlen=size)

    def add(self, *transition):
        self.data.append(transition)

    def sample(self, n):
        obs, act, rew, nxt, done = map(np.array, zip(*random.sample(self.data, n)))
        f = lambda a: torch.as_tensor(a, dtype=torch.float32)
        return f(obs), torch.as_tensor(act).long(), f(rew), f(nxt), f(done)


def learn(q, target, optimizer, batch, gamma):
    obs, act, rew, nxt, done = batch
    with torch.no_grad():
        best = target(nxt).amax(1)
        td = rew + gamma * best * (1 - done)
    loss = F.mse_loss(q(obs).gather(1, act[:, None]).squeeze(1), td)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def main(env_id="CartPole-v1", total=500_000, train_frequency=4, target_frequency=500, start=10_000, gamma=0.99):
    env = gym.make(env_id)
    q = QNet(env.observation_space.shape[0], env.action_space.n)
    target = QNet(env.observation_space.shape[0], env.action_space.n)
    target.load_state_dict(q.state_dict())
    optimizer = optim.Adam(q.parameters(), lr=2.5e-4)
    buffer = Buffer(10_000)
    obs, _ = env.reset(seed=1)
    for step in range(total):
        epsilon = max(0.05, 1 - step / (0.5 * total))
        if random.random() < epsilon:
            action = env.action_space.sample()
        else:
            with torch.no_grad():
                action = q(torch.as_tensor(obs, dtype=torch.float32)).argmax().item()
        nxt, rew, term, trunc, _ = env.step(action)
        buffer.add(obs, action, rew, nxt, term)
        obs = env.reset()[0] if term or trunc else nxt
        if step > start and step % train_frequency == 0:
            loss = learn(q, target, optimizer, buffer.sample(128), gamma)
            if step % 10_000 == 0:
                print(step, loss)
        if step % target_frequency == 0:
            target.load_state_dict(q.state_dict())


if __name__ == "__main__":
    main()
