"""Domain adaptation on two synthetic domains (source is labelled, target is not)."""
import torch
import torch.nn.functional as F
from torch import nn

EPOCHS, BATCHES, WINDOW = 2, 8, 2


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -ctx.strength * grad, None


def make_domains():
    source = [(torch.randn(12, 6), torch.randint(0, 3, (12,))) for _ in range(BATCHES)]
    target = [torch.randn(12, 6) * 1.5 + 0.3 for _ in range(BATCHES)]
    return source, target


def train(record):
    torch.manual_seed(11)
    trunk = nn.Sequential(nn.Linear(6, 10), nn.Tanh())
    label_head, domain_head = nn.Linear(10, 3), nn.Linear(10, 1)
    heads = nn.ModuleList([label_head, domain_head])
    trunk_opt = torch.optim.SGD(trunk.parameters(), lr=0.2, momentum=0.9)
    head_opt = torch.optim.SGD(heads.parameters(), lr=0.1)
    everything = [*trunk.parameters(), *heads.parameters()]
    source, target = make_domains()
    for epoch in range(EPOCHS):
        for i, ((xs, ys), xt) in enumerate(zip(source, target)):
            loss = joint_loss(trunk, label_head, domain_head, xs, ys, xt, 0.1 * (epoch + 1))
            loss.backward()
            head_opt.step()
            record(everything)
            head_opt.zero_grad()
            if (i + 1) % WINDOW == 0:
                trunk_opt.step()
                record(everything)
                trunk_opt.zero_grad()


def joint_loss(trunk, label_head, domain_head, xs, ys, xt, strength):
    features = trunk(torch.cat([xs, xt]))
    features.register_hook(lambda grad: grad / WINDOW)
    task = F.cross_entropy(label_head(features[: len(xs)]), ys)
    domain = torch.cat([torch.zeros(len(xs), 1), torch.ones(len(xt), 1)])
    confusion = F.binary_cross_entropy_with_logits(domain_head(Reverse.apply(features, strength)), domain)
    return task + confusion


if __name__ == "__main__":
    train(lambda parameters: None)
