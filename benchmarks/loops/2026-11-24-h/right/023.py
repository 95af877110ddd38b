import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r=2):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.a = nn.Parameter(torch.randn(r, base.in_features) * 0.05)
        self.b = nn.Parameter(torch.zeros(base.out_features, r))

    def forward(self, x):
        return self.base(x) + x @ self.a.T @ self.b.T


class AdapterModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1, self.l2 = LoRALinear(nn.Linear(10, 32)), LoRALinear(nn.Linear(32, 4))

    @property
    def trainable(self):
        return filter(lambda p: p.requires_grad, self.parameters())

    def forward(self, x):
        return self.l2(torch.relu(self.l1(x)))


def finetune(model, loader, epochs=3, clip=0.1):
    print("trainable", sum(p.numel() for p in model.trainable), "of", sum(p.numel() for p in model.parameters()))
    optimizer = torch.optim.Adam(model.trainable, lr=1e-2)
    warm = torch.optim.lr_scheduler.LinearLR(optimizer, 0.1, 1.0, total_iters=5)
    for epoch in range(epochs):
        model.train()
        for step, (x, y) in enumerate(loader):
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            gn = nn.utils.clip_grad_norm_(model.trainable, clip)
            optimizer.step()
            warm.step()
        print(f"epoch {epoch} loss {loss.item():.3f} grad norm {gn:.3f}")


torch.manual_seed(0)
x = torch.randn(128, 10)
finetune(AdapterModel(), DataLoader(TensorDataset(x, x[:, :4].argmax(1)), batch_size=32, shuffle=True))
