"""Mountain guides: one backward for the guide and the judge, each with a step of its own."""
import torch
from torch import nn
from torch.distributions import Categorical
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_


def climb(path, slope):
    return torch.where(path == slope.argmin(1), 1.0, -0.5)


def train(record):
    torch.manual_seed(14)
    guide = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 4))
    judge = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    opt_guide = torch.optim.Adam(guide.parameters(), lr=0.02)
    opt_judge = torch.optim.SGD(judge.parameters(), lr=0.1)
    for _ in range(25):
        slope = torch.rand(16, 4)
        choice = Categorical(logits=guide(slope))
        path = choice.sample()
        reward = climb(path, slope)
        value = judge(slope).squeeze(1)
        gain = (reward - value).detach()
        loss = -(choice.log_prob(path) * gain).mean() + F.mse_loss(value, reward)
        opt_guide.zero_grad()
        opt_judge.zero_grad()
        loss.backward()
        opt_judge.step()
        record(list(judge.parameters()))
        clip_grad_norm_(guide.parameters(), 0.1)
        opt_guide.step()
        record(list(guide.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
