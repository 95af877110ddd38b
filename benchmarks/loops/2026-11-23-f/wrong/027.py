import torch
from torch import nn


class Agent:
    def __init__(self, gamma=0.9):
        self.q = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 4))
        self.target = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 4))
        self.target.load_state_dict(self.q.state_dict())
        self.optimizer = torch.optim.RMSprop(self.q.parameters(), lr=5e-4)
        self.gamma = gamma

    def td_loss(self, s, a, r, s2):
        q = self.q(s).gather(1, a)
        with torch.no_grad():
            best = self.target(s2).amax(1, keepdim=True)
        return nn.functional.smooth_l1_loss(q, r + self.gamma * best)

    def learn(self, batch):
        loss = self.td_loss(*batch)
        loss.backward()
        self.optimizer.zero_grad()
        self.optimizer.step()
        return loss.item()


def replay(n=32):
    return torch.randn(n, 3), torch.randint(0, 4, (n, 1)), torch.rand(n, 1), torch.randn(n, 3)


if __name__ == "__main__":
    agent = Agent()
    for t in range(30):
        value = agent.learn(replay())
        if t % 10 == 9:
            agent.target.load_state_dict(agent.q.state_dict())
            print(t, value)
