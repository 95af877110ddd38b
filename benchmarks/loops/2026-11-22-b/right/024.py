from itertools import count

import gymnasium as gym
import torch
from torch import nn, optim
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_obs, 128), nn.Dropout(0.6), nn.ReLU())
        self.actor = nn.Linear(128, n_act)
        self.critic = nn.Linear(128, 1)

    def forward(self, x):
        h = self.body(x)
        return Categorical(logits=self.actor(h)), self.critic(h)


class Episode:
    def __init__(self):
        self.log_probs, self.values, self.rewards, self.entropies = [], [], [], []

    def returns(self, gamma):
        out, running = [], 0.0
        for r in reversed(self.rewards):
            running = r + gamma * running
            out.append(running)
        out = torch.tensor(out[::-1])
        return (out - out.mean()) / (out.std() + 1e-8)


def play(env, policy):
    episode = Episode()
    obs, _ = env.reset()
    for _ in count():
        dist, value = policy(torch.as_tensor(obs, dtype=torch.float32))
        action = dist.sample()
        obs, reward, done, cut, _ = env.step(action.item())
        episode.log_probs.append(dist.log_prob(action))
        episode.values.append(value.squeeze())
        episode.entropies.append(dist.entropy())
        episode.rewards.append(reward)
        if done or cut:
            return episode


def main(env_name="LunarLander-v2", episodes=3000, gamma=0.99):
    env = gym.make(env_name)
    policy = Policy(env.observation_space.shape[0], env.action_space.n)
    optimizer = optim.Adam(policy.parameters(), lr=3e-3)
    score = None
    for n in range(episodes):
        episode = play(env, policy)
        target = episode.returns(gamma)
        actor_loss = critic_loss = 0
        for logp, value, g in zip(episode.log_probs, episode.values, target):
            actor_loss = actor_loss - logp * (g - value.item())
            critic_loss = critic_loss + nn.functional.smooth_l1_loss(value, g)
        loss = actor_loss + critic_loss - 0.01 * torch.stack(episode.entropies).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = sum(episode.rewards)
        score = total if score is None else 0.05 * total + 0.95 * score
        if n % 50 == 0:
            print(f"{n} last {total:.1f} mean {score:.1f}")


if __name__ == "__main__":
    main()
