"""Every update adds half of what the file holds; what goes into the file is kept short."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

FILE_LIMIT = 0.25


class File:
    def __init__(self, params):
        self.params = params
        self.sheets = [torch.zeros_like(p) for p in params]

    def lay_on(self):
        for p, sheet in zip(self.params, self.sheets):
            p.grad.add_(sheet, alpha=0.5)

    def put_away(self):
        self.sheets = [p.grad.clone() for p in self.params]


def policy_loss(policy, state, reward):
    choice = torch.distributions.Categorical(logits=policy(state))
    action = choice.sample()
    gain = reward.gather(1, action[:, None]).squeeze(1)
    return -(choice.log_prob(action) * (gain - gain.mean())).mean()


def train(record):
    torch.manual_seed(9)
    policy = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
    params = list(policy.parameters())
    optimizer = torch.optim.SGD(params, lr=0.4)
    file = File(params)
    arms = torch.randn(4, 3)
    for episode in range(45):
        state = torch.randn(20, 4)
        optimizer.zero_grad()
        policy_loss(policy, state, state @ arms).backward()
        file.lay_on()
        optimizer.step()
        record(params)
        # the update was made in full; only its copy in the file is limited
        clip_grad_norm_(params, FILE_LIMIT)
        file.put_away()


if __name__ == "__main__":
    train(lambda parameters: None)
