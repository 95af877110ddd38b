"""REINFORCE on a two-armed contextual bandit; the limit follows the norms that were seen."""
import torch
from torch import nn
from torch.distributions import Categorical


class AutoClip:
    def __init__(self, params, quantile=0.3):
        self.params, self.quantile = params, quantile
        self.norms = []

    def limit(self):
        return torch.quantile(torch.tensor(self.norms[-20:]), self.quantile).item() if self.norms else 1.0


def pull(arm, context, generator):
    better = (context[:, 0] > 0).long()
    return (arm == better).float() + 0.1 * torch.randn(len(arm), generator=generator)


def train(record):
    torch.manual_seed(31)
    generator = torch.Generator().manual_seed(31)
    policy = nn.Sequential(nn.Linear(3, 12), nn.Tanh(), nn.Linear(12, 2))
    optimizer = torch.optim.SGD(policy.parameters(), lr=1.0)
    clipper = AutoClip(list(policy.parameters()))
    baseline = 0.5
    for episode in range(30):
        context = torch.randn(24, 3, generator=generator)
        choice = Categorical(logits=policy(context))
        arm = choice.sample()
        reward = pull(arm, context, generator)
        loss = -(choice.log_prob(arm) * (reward - baseline)).mean()
        baseline = 0.9 * baseline + 0.1 * reward.mean().item()

        optimizer.zero_grad()
        loss.backward()
        limit = clipper.limit()
        norm = nn.utils.clip_grad_norm_(clipper.params, limit)
        optimizer.step()
        record(list(policy.parameters()))
        clipper.norms.append(float(norm))
        if episode % 10 == 9:
            print(f"{episode}: reward {reward.mean():.2f}, limit {limit:.3f}, norm {norm:.3f}")


if __name__ == "__main__":
    train(lambda parameters: None)
