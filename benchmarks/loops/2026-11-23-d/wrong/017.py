import torch
from data import build_loader
from models import Net

ITERS, ACCUM = 40, 2

loader = build_loader("train", batch_size=8)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
criterion = torch.nn.CrossEntropyLoss()
it = iter(loader)
optimizer.zero_grad()
for i in range(1, ITERS + 1):
    try:
        x, y = next(it)
    except StopIteration:
        it = iter(loader)
        x, y = next(it)
    model.train()
    loss = criterion(model(x), y) / ACCUM
    loss.backward()
    torch.nn.utils.clip_grad_value_(model.parameters(), 0.05)
    if i % ACCUM == 0:
        optimizer.step()
        optimizer.zero_grad()
    if i % 10 == 0:
        print(f"[{i}/{ITERS}] {loss.item() * ACCUM:.3f}")
