import torch
from torch import nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self, states=6, actions=3):
        super().__init__()
        self.embed = nn.Embedding(states, 5)
        self.hidden = nn.Linear(5, 16)
        self.out = nn.Linear(16, actions)

    def forward(self, state):
        return Categorical(logits=self.out(torch.tanh(self.hidden(self.embed(state)))))


def reward_of(state, action):
    return 4.0 * (state % 3 == action).float() - 1.0


def train(record):
    torch.manual_seed(643)
    policy = Policy()
    weights = policy.parameters()
    table = next(weights)
    optimizer = torch.optim.SGD(weights, lr=0.5)
    start = table.detach().clone()
    for epoch in range(3):
        earned = 0.0
        for _ in range(7):
            state = torch.randint(0, 6, (32,))
            choice = policy(state)
            action = choice.sample()
            reward = reward_of(state, action)
            loss = -(choice.log_prob(action) * (reward - reward.mean())).mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(weights, 0.25)
            optimizer.step()
            record(list(policy.parameters()))
            earned += reward.mean().item()
        print(epoch, earned / 7, torch.equal(start, table))


if __name__ == "__main__":
    train(lambda parameters: None)
