import torch
import torch.nn.functional as F


def attack(model, x, y, eps=8 / 255, alpha=2 / 255, steps=10):
    adversarial = x + torch.empty_like(x).uniform_(-eps, eps)
    for _ in range(steps):
        adversarial = adversarial.detach().requires_grad_(True)
        loss = F.cross_entropy(model(adversarial), y)
        (gradient,) = torch.autograd.grad(loss, adversarial)
        moved = adversarial.detach() + alpha * gradient.sign()
        adversarial = torch.max(torch.min(moved, x + eps), x - eps).clamp(0, 1)
    return adversarial.detach()


def robust_accuracy(model, loader, device):
    model.eval()
    hits = total = 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        adversarial = attack(model, x, y)
        with torch.no_grad():
            hits += (model(adversarial).argmax(1) == y).sum().item()
        total += len(y)
    return hits / total


def adversarial_training(model, loader, test_loader, cfg):
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9, weight_decay=5e-4)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, cfg.milestones)
    for epoch in range(cfg.epochs):
        model.train()
        for x, y in loader:
            x, y = x.to(cfg.device), y.to(cfg.device)
            adversarial = attack(model, x, y)
            loss = F.cross_entropy(model(adversarial), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scheduler.step()
        print(epoch, loss.item(), robust_accuracy(model, test_loader, cfg.device))
