import torch
import torch.nn.functional as F


def private_update(model, optimizer, x, y, max_norm, noise):
    params = [p for p in model.parameters() if p.requires_grad]
    sums = [torch.zeros_like(p) for p in params]
    total = 0.0
    for example, label in zip(x, y):
        model.zero_grad()
        loss = F.cross_entropy(model(example.unsqueeze(0)), label.unsqueeze(0))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params, max_norm)
        for s, p in zip(sums, params):
            s.add_(p.grad)
        total += loss.item()
    for s, p in zip(sums, params):
        s.add_(torch.randn_like(s), alpha=noise * max_norm)
        p.grad = s / len(x)
    optimizer.step()
    return total / len(x)


def train(model, loader, epochs, *, lr=0.25, max_norm=1.0, noise=1.1):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for epoch in range(epochs):
        model.train()
        losses = [private_update(model, optimizer, x, y, max_norm, noise) for x, y in loader]
        print(f"epoch {epoch}: {sum(losses) / len(losses):.4f}")
    return model
