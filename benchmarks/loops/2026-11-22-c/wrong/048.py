import gymnasium as gym
import torch
from torch import nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, obs_dim, n_actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs_dim, 64), nn.Tanh())
        self.pi, self.v = nn.Linear(64, n_actions), nn.Linear(64, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def update(net, optimizer, obs, actions, logp_old, returns, passes=4, clip=0.2):
    with torch.no_grad():
        advantage = returns - net(obs)[1]
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    optimizer.zero_grad()
    for _ in range(passes):
        dist, value = net(obs)
        ratio = (dist.log_prob(actions) - logp_old).exp()
        pi_loss = -torch.min(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage).mean()
        loss = pi_loss + 0.5 * (value - returns).pow(2).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        optimizer.step()
    return loss.item()


def collect(env, net, steps):
    obs, _ = env.reset()
    rows = []
    for _ in range(steps):
        with torch.no_grad():
            dist, _ = net(torch.as_tensor(obs, dtype=torch.float32))
            action = dist.sample()
        following, reward, done, cut, _ = env.step(action.item())
        rows.append((torch.as_tensor(obs, dtype=torch.float32), action, dist.log_prob(action), reward))
        obs = env.reset()[0] if done or cut else following
    return rows


def train(env_id="CartPole-v1", iterations=200, steps=1024, gamma=0.99):
    env = gym.make(env_id)
    net = ActorCritic(env.observation_space.shape[0], env.action_space.n)
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-4)
    for n in range(iterations):
        obs, actions, logp, rewards = zip(*collect(env, net, steps))
        running, returns = 0.0, []
        for r in reversed(rewards):
            running = r + gamma * running
            returns.insert(0, running)
        returns = torch.tensor(returns, dtype=torch.float32)
        print(n, update(net, optimizer, torch.stack(obs), torch.stack(actions), torch.stack(logp), returns))
