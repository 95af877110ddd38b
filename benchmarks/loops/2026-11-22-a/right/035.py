import gymnasium as gym
import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Normal


class GaussianPolicy(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.mean = nn.Sequential(nn.Linear(n_obs, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, n_act))
        self.log_std = nn.Parameter(torch.zeros(n_act))

    def forward(self, obs):
        return Normal(self.mean(obs), self.log_std.exp())


def episode(env, policy, gamma):
    obs, _ = env.reset()
    log_probs, rewards, over = [], [], False
    while not over:
        dist = policy(torch.as_tensor(obs, dtype=torch.float32))
        act = dist.sample()
        log_probs.append(dist.log_prob(act).sum())
        obs, r, term, trunc, _ = env.step(act.numpy())
        rewards.append(float(r))
        over = term or trunc
    returns, running = [], 0.0
    for r in reversed(rewards):
        running = r + gamma * running
        returns.append(running)
    returns = torch.tensor(returns[::-1])
    return -(torch.stack(log_probs) * (returns - returns.mean())).mean(), sum(rewards)


def main(env_id="Pendulum-v1", episodes=20_000, per_update=10, gamma=0.98):
    env = gym.make(env_id)
    policy = GaussianPolicy(env.observation_space.shape[0], env.action_space.shape[0])
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)
    losses, scores = [], []
    for n in range(1, episodes + 1):
        loss, score = episode(env, policy, gamma)
        losses.append(loss)
        scores.append(score)
        if n % per_update == 0:
            optimizer.zero_grad()
            torch.stack(losses).mean().backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            losses.clear()
            print(n, np.mean(scores[-100:]))


if __name__ == "__main__":
    main()
