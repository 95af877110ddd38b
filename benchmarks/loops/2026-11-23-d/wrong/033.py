import torch
import torch.nn.functional as F
from robust import SmallCNN, cifar

EPS, ALPHA, K = 8 / 255, 2 / 255, 4


def attack(net, x, y):
    delta = torch.empty_like(x).uniform_(-EPS, EPS)
    for _ in range(K):
        delta.requires_grad_(True)
        (g,) = torch.autograd.grad(F.cross_entropy(net(x + delta), y), delta)
        delta = (delta.detach() + ALPHA * g.sign()).clamp(-EPS, EPS)
    return (x + delta).clamp(0, 1)


net = SmallCNN()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=2e-4)
scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [75, 90])
for epoch in range(3):
    net.train()
    for x, y in cifar(train=True):
        adv = attack(net, x, y)
        optimizer.zero_grad()
        loss = F.cross_entropy(net(adv), y)
        loss.backward()
        optimizer.step()
    scheduler.step
    print(f"epoch {epoch} robust loss {loss.item():.3f} lr {optimizer.param_groups[0]['lr']}")
