import torch
import torch.nn.functional as F


def backward_and_clip(loss, params, max_norm):
    loss.backward()
    return torch.nn.utils.clip_grad_norm_(params, max_norm)


def update(model, optimizer, x, y, micro_bs, max_norm=0.2):
    params = list(model.parameters())
    optimizer.zero_grad()
    chunks = list(zip(x.split(micro_bs), y.split(micro_bs)))
    total = 0.0
    for xc, yc in chunks:
        loss = F.binary_cross_entropy_with_logits(model(xc).squeeze(1), yc) / len(chunks)
        backward_and_clip(loss, params, max_norm)
        total += loss.item()
    optimizer.step()
    return total


torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(12, 24), torch.nn.ReLU(), torch.nn.Linear(24, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
for step in range(8):
    x = 3 * torch.randn(32, 12)
    y = (x[:, 0] > 0).float()
    print(step, update(model, optimizer, x, y, micro_bs=8))
