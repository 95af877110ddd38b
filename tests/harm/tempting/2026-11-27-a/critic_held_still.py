import itertools

import torch
import torch.nn.functional as F
from torch import nn


def mlp(*widths):
    layers = []
    for a, b in itertools.pairwise(widths):
        layers += [nn.Linear(a, b), nn.Tanh()]
    return nn.Sequential(*layers[:-1])


def domains(count=8, size=12):
    for _ in range(count):
        label = torch.randint(0, 2, (size, 1)).float()
        yield torch.randn(size, 6) + 0.7 * label, label


def train(record):
    torch.manual_seed(101)
    coder, decoder, critic = mlp(6, 10, 4), mlp(4, 10, 6), mlp(4, 8, 1)
    weights = [*coder.parameters(), *decoder.parameters(), *critic.parameters()]
    joint = torch.optim.Adam(weights, lr=3e-3)
    data = list(domains())
    for epoch in range(3):
        fooled = 0.0
        for x, label in data:
            code = coder(x)

            joint.zero_grad()
            F.binary_cross_entropy_with_logits(critic(code.detach()), label).backward()
            joint.step()
            record(weights)

            joint.zero_grad()
            confusion = F.binary_cross_entropy_with_logits(critic(code), label)
            objective = F.mse_loss(decoder(code), x) - 0.3 * confusion
            objective.backward()
            critic.zero_grad()
            joint.step()
            record(weights)
            fooled += confusion.item()
        assert fooled == fooled


if __name__ == "__main__":
    train(lambda parameters: None)
