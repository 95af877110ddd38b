"""Contrastive pre-training followed by a linear probe that also tunes the encoder."""
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 16))
projector = nn.Linear(16, 8)
probe = nn.Linear(16, 3)

X = torch.randn(300, 10)
Y = X[:, :3].argmax(1)


def augment(x):
    return x + 0.1 * torch.randn_like(x)


def nt_xent(a, b, tau=0.2):
    z = F.normalize(torch.cat([a, b]), dim=-1)
    sim = z @ z.t() / tau
    sim.fill_diagonal_(-1e4)
    n = len(a)
    pos = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, pos)


def pretrain(steps=20):
    opt = torch.optim.Adam([*encoder.parameters(), *projector.parameters()], lr=2e-3)
    for step in range(steps):
        xb = X[torch.randint(0, 300, (48,))]
        opt.zero_grad()
        loss = nt_xent(projector(encoder(augment(xb))), projector(encoder(augment(xb))))
        loss.backward()
        opt.step()
    opt.zero_grad()
    print("pretrain", loss.item())


def finetune(epochs=3, bs=50):
    opt = torch.optim.SGD(
        [{"params": encoder.parameters(), "lr": 1e-3}, {"params": probe.parameters(), "lr": 5e-2}],
        momentum=0.9,
    )
    for epoch in range(epochs):
        correct = 0
        for idx in torch.randperm(300).split(bs):
            logits = probe(encoder(X[idx]))
            loss = F.cross_entropy(logits, Y[idx])
            loss.backward()
            opt.step()
            correct += (logits.argmax(1) == Y[idx]).sum().item()
        print("finetune", epoch, correct / 300)


pretrain()
finetune()
