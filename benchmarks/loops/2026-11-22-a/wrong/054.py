import gymnasium as gym
import torch
import torch.nn as nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, n_in, n_out, width=128):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, width), nn.Tanh(), nn.Dropout(0.1), nn.Linear(width, width), nn.Tanh())
        self.pi = nn.Linear(width, n_out)
        self.v = nn.Linear(width, 1)

    def forward(self, x):
        h = self.body(x)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class A2C:
    def __init__(self, env, gamma=0.99, lr=7e-4, n_steps=5, max_grad_norm=0.5):
        self.env = env
        self.net = ActorCritic(env.observation_space.shape[0], env.action_space.n)
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=lr, alpha=0.99, eps=1e-5)
        self.gamma, self.n_steps, self.max_grad_norm = gamma, n_steps, max_grad_norm
        self.obs, _ = env.reset()

    def rollout(self):
        log_probs, values, rewards, entropies, masks = [], [], [], [], []
        for _ in range(self.n_steps):
            dist, value = self.net(torch.as_tensor(self.obs, dtype=torch.float32))
            action = dist.sample()
            self.obs, reward, term, trunc, _ = self.env.step(action.item())
            log_probs.append(dist.log_prob(action))
            entropies.append(dist.entropy())
            values.append(value)
            rewards.append(reward)
            masks.append(0.0 if term else 1.0)
            if term or trunc:
                self.obs, _ = self.env.reset()
        return log_probs, values, rewards, entropies, masks

    def learn(self, updates):
        for _ in range(updates):
            log_probs, values, rewards, entropies, masks = self.rollout()
            with torch.no_grad():
                _, ret = self.net(torch.as_tensor(self.obs, dtype=torch.float32))
            returns = []
            for r, m in zip(reversed(rewards), reversed(masks)):
                ret = r + self.gamma * ret * m
                returns.insert(0, ret)
            values = torch.stack(values)
            adv = torch.stack(returns) - values
            policy = -(torch.stack(log_probs) * adv.detach()).mean()
            loss = policy + 0.5 * adv.pow(2).mean() - 0.01 * torch.stack(entropies).mean()
            self.opt.zero_grad()
            nn.utils.clip_grad_norm_(self.net.parameters(), self.max_grad_norm)
            loss.backward()
            self.opt.step()

    @torch.no_grad()
    def play(self, env):
        self.net.eval
        obs, _ = env.reset()
        total, over = 0.0, False
        while not over:
            dist, _ = self.net(torch.as_tensor(obs, dtype=torch.float32))
            obs, reward, term, trunc, _ = env.step(dist.probs.argmax().item())
            total += reward
            over = term or trunc
        self.net.train()
        return total


if __name__ == "__main__":
    agent = A2C(gym.make("LunarLander-v3"))
    for i in range(100):
        agent.learn(1000)
        print(i, agent.play(gym.make("LunarLander-v3")))
