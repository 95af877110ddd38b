import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as bce


def net(sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.1)]
    return nn.Sequential(*layers[:-1])


def train(record):
    torch.manual_seed(21)
    G, D = net([3, 16, 2]), net([2, 16, 1])
    everything = [*G.parameters(), *D.parameters()]
    opt_g = torch.optim.SGD(G.parameters(), lr=0.05)
    opt_d = torch.optim.SGD(D.parameters(), lr=0.05)
    centres = torch.tensor([[2.0, 0.0], [-2.0, 0.0]])
    ones, zeros = torch.ones(20, 1), torch.zeros(20, 1)
    for epoch in range(2):
        meters = {"d": 0.0, "g": 0.0}
        for it in range(8):
            real = centres[torch.randint(0, 2, (20,))] + 0.2 * torch.randn(20, 2)
            fake = G(torch.randn(20, 3))

            loss_d = bce(D(real), ones) + bce(D(fake.detach()), zeros)
            opt_d.zero_grad()
            loss_d.backward()
            opt_d.step()
            record(everything)

            loss_g = bce(D(fake), ones)
            opt_g.zero_grad()
            loss_g.backward()
            opt_g.step()
            record(everything)

            meters["d"] += loss_d.item()
            meters["g"] += loss_g.item()


if __name__ == "__main__":
    train(lambda parameters: None)
