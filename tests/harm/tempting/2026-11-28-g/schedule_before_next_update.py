import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR


def noam(warmup):
    def factor(update):
        n = update + 1
        return min(n / warmup, (warmup / n) ** 0.5)

    return factor


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 8)
        self.logits = nn.Linear(8, 2)

    def forward(self, s):
        return torch.distributions.Categorical(logits=self.logits(torch.tanh(self.body(s))))


def episode(actor, length=10):
    states = torch.randn(length, 3)
    dist = actor(states)
    actions = dist.sample()
    rewards = (actions == (states[:, 0] > 0).long()).float()
    returns = rewards.flip(0).cumsum(0).flip(0)
    return dist, actions, returns - returns.mean()


def train(record):
    torch.manual_seed(12)
    actor = Actor()
    optimizer = torch.optim.Adam(actor.parameters(), lr=0.02)
    schedule = LambdaLR(optimizer, noam(warmup=5))
    updates = 0
    for epoch in range(2):
        for _ in range(8):
            if updates > 0:
                schedule.step()
            dist, actions, advantage = episode(actor)
            optimizer.zero_grad()
            loss = -(dist.log_prob(actions) * advantage).mean() - 0.01 * dist.entropy().mean()
            loss.backward()
            optimizer.step()
            record(list(actor.parameters()))
            updates += 1
        print(epoch, optimizer.param_groups[0]["lr"])


if __name__ == "__main__":
    train(lambda parameters: None)
