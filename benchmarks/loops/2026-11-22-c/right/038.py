import torch
import torch.nn.functional as F


class ConsumingSGD(torch.optim.SGD):
    """SGD that drops the gradients which it has applied."""

    def step(self, closure=None):
        loss = super().step(closure)
        for group in self.param_groups:
            for p in group["params"]:
                p.grad = None
        return loss


def train(model, loader, *, epochs=30, lr=0.1, accum=2, max_norm=2.0):
    optimizer = ConsumingSGD(model.parameters(), lr=lr, momentum=0.9, nesterov=True)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    for epoch in range(epochs):
        model.train()
        mean = 0.0
        for i, (x, y) in enumerate(loader, start=1):
            loss = F.cross_entropy(model(x), y)
            (loss / accum).backward()
            mean += (loss.item() - mean) / i
            if i % accum == 0 or i == len(loader):
                torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
                optimizer.step()
        cosine.step()
        print(f"{epoch:2d} {mean:.4f}")
    return model
