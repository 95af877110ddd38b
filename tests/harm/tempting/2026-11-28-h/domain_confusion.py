"""Domain adaptation: an encoder learns to confuse a judge of the domain."""
import torch
from torch import nn
from torch.nn import functional as F

WEIGHT = 0.3


def domains(count):
    for _ in range(count):
        source = torch.randn(16, 4)
        target = torch.randn(16, 4) * 1.5 + 1
        yield source, (source.sum(1) > 0).long(), target


def train(record):
    torch.manual_seed(34)
    encoder = nn.Sequential(nn.Linear(4, 12), nn.Tanh())
    label = nn.Linear(12, 2)
    judge = nn.Sequential(nn.Linear(12, 8), nn.ReLU(), nn.Linear(8, 1))
    task_opt = torch.optim.Adam([*encoder.parameters(), *label.parameters()], lr=0.01)
    judge_opt = torch.optim.SGD(judge.parameters(), lr=0.1)
    where = torch.cat([torch.zeros(16, 1), torch.ones(16, 1)])

    for source, y, target in domains(30):
        # the judge tells the domains apart
        codes = encoder(torch.cat([source, target])).detach()
        F.binary_cross_entropy_with_logits(judge(codes), where).backward()
        judge_opt.step()
        record([*encoder.parameters(), *label.parameters(), *judge.parameters()])

        # the encoder solves its task and hides the domain
        task_opt.zero_grad()
        codes = encoder(torch.cat([source, target]))
        task = F.cross_entropy(label(codes[:16]), y)
        hidden = F.binary_cross_entropy_with_logits(judge(codes), 1 - where)
        (task + WEIGHT * hidden).backward()
        task_opt.step()
        record([*encoder.parameters(), *label.parameters(), *judge.parameters()])


if __name__ == "__main__":
    train(lambda parameters: None)
