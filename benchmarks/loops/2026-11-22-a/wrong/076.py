import collections

import gymnasium as gym
import numpy as np
import torch
from torch import nn, optim


class Policy(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs, 128), nn.ReLU(), nn.Linear(128, act))

    def forward(self, x):
        return torch.distributions.Categorical(logits=self.net(x))


def play_episode(env, policy):
    obs, _ = env.reset()
    log_probs, rewards = [], []
    done = False
    while not done:
        dist = policy(torch.from_numpy(obs).float())
        action = dist.sample()
        log_probs.append(dist.log_prob(action))
        obs, reward, terminated, truncated, _ = env.step(action.item())
        rewards.append(reward)
        done = terminated or truncated
    return log_probs, rewards


def discounted(rewards, gamma):
    out = np.zeros(len(rewards), dtype=np.float32)
    running = 0.0
    for t in reversed(range(len(rewards))):
        running = rewards[t] + gamma * running
        out[t] = running
    return torch.from_numpy((out - out.mean()) / (out.std() + 1e-8))


def main(episodes=2000, gamma=0.99, lr=1e-3):
    env = gym.make("CartPole-v1")
    policy = Policy(env.observation_space.shape[0], env.action_space.n)
    optimizer = optim.Adam(policy.parameters(), lr=lr)
    recent = collections.deque(maxlen=50)
    for episode in range(episodes):
        log_probs, rewards = play_episode(env, policy)
        loss = -(torch.stack(log_probs) * discounted(rewards, gamma)).sum()
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
        recent.append(sum(rewards))
        if episode % 50 == 0:
            print(episode, np.mean(recent))


if __name__ == "__main__":
    main()
