import torch
from torch import nn
from torch.distributions import Categorical


class GridWalk:
    """Five by five grid, goal in the corner."""

    def __init__(self, size=5, limit=15):
        self.size, self.limit = size, limit

    def reset(self):
        self.xy, self.t = [0, 0], 0
        return self.state()

    def state(self):
        return torch.tensor(self.xy, dtype=torch.float) / self.size

    def step(self, a):
        axis, delta = divmod(a, 2)
        self.xy[axis] = min(self.size - 1, max(0, self.xy[axis] + 2 * delta - 1))
        self.t += 1
        goal = self.xy == [self.size - 1] * 2
        return self.state(), 1.0 if goal else -0.05, goal or self.t >= self.limit


def discounted(rewards, gamma=0.97):
    out, g = [], 0.0
    for r in reversed(rewards):
        g = r + gamma * g
        out.append(g)
    return torch.tensor(out[::-1])


def main(episodes=25):
    torch.manual_seed(0)
    actor = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 4))
    critic = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 1))
    actor_opt = torch.optim.Adam(actor.parameters(), lr=5e-3)
    critic_opt = torch.optim.Adam(critic.parameters(), lr=1e-2)
    env, scores = GridWalk(), []

    for ep in range(episodes):
        s, done = env.reset(), False
        log_probs, values, rewards = [], [], []
        while not done:
            dist = Categorical(logits=actor(s))
            a = dist.sample()
            log_probs.append(dist.log_prob(a))
            values.append(critic(s).squeeze())
            s, r, done = env.step(a.item())
            rewards.append(r)

        returns = discounted(rewards)
        values = torch.stack(values)
        advantage = returns - values
        actor_loss = -(torch.stack(log_probs) * advantage.detach()).mean()
        critic_loss = advantage.pow(2).mean()

        actor_opt.zero_grad()
        critic_opt.zero_grad()
        actor_loss.backward()
        critic_loss.backward()
        actor_opt.step()
        critic_opt.step()
        scores.append(sum(rewards))
        if (ep + 1) % 5 == 0:
            print(f"episode {ep + 1} score {sum(scores[-5:]) / 5:.3f} critic {critic_loss.item():.3f}")


if __name__ == "__main__":
    main()
