import itertools

import torch
import torch.nn as nn

from domains import source_loader, target_loader
from models import DomainCritic, FeatureNet

features = FeatureNet(classes=31)
critic = DomainCritic(256)
opt_features = torch.optim.SGD(features.parameters(), lr=0.005, momentum=0.9)
opt_critic = torch.optim.Adam(critic.parameters(), lr=1e-4)
ce, bce = nn.CrossEntropyLoss(), nn.BCEWithLogitsLoss()


def domain_loss(a, b, swap):
    logits = critic(torch.cat([a, b])).squeeze(1)
    label = torch.cat([torch.ones(len(a)), torch.zeros(len(b))])
    return bce(logits, 1 - label if swap else label)


for epoch in range(60):
    features.train()
    critic.train()
    for (xs, ys), (xt, _) in zip(source_loader, itertools.cycle(target_loader)):
        fs, logits = features(xs)
        ft, _ = features(xt)
        loss = ce(logits, ys) + 0.1 * domain_loss(fs, ft, swap=True)
        opt_features.zero_grad()
        loss.backward()
        opt_critic.zero_grad()
        opt_features.step()

        loss_critic = domain_loss(fs.detach(), ft.detach(), swap=False)
        loss_critic.backward()
        opt_critic.step()
    print(epoch, loss.item(), loss_critic.item())
