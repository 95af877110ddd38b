# Memory-saving trick: each parameter has its own optimizer, stepped by a hook as soon as its gradient is there.
import torch
import torch.nn as nn

torch.manual_seed(16)

model = nn.Sequential(nn.Embedding(30, 12), nn.Flatten(), nn.Linear(60, 24), nn.ReLU(), nn.Linear(24, 30))
optimizers = {p: torch.optim.Adam([p], lr=3e-3, foreach=False) for p in model.parameters()}


def optimizer_hook(parameter):
    optimizers[parameter].step()
    optimizers[parameter].zero_grad()


for p in model.parameters():
    p.register_post_accumulate_grad_hook(optimizer_hook)


def contexts(n, batch=16):
    for _ in range(n):
        start = torch.randint(0, 30, (batch, 1))
        line = (start + 2 * torch.arange(6)) % 30
        yield line[:, :5], line[:, 5]


for epoch in range(2):
    model.train()
    mean = 0.0
    for n, (context, word) in enumerate(contexts(10), 1):
        loss = nn.functional.cross_entropy(model(context), word)
        loss.backward()
        mean += (loss.item() - mean) / n
    print(f"epoch {epoch} cross entropy {mean:.4f}")
