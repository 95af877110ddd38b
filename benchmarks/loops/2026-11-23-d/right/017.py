import torch
from torch import nn

model = nn.Linear(10, 1)
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ConstantLR(optimizer, factor=0.5, total_iters=2)

before_batch = [optimizer.zero_grad]
after_batch = [optimizer.step]
after_epoch = [scheduler.step, lambda: print("lr", scheduler.get_last_lr()[0])]


def fire(callbacks):
    for callback in callbacks:
        callback()


w = torch.randn(10, 1)
for epoch in range(4):
    for _ in range(8):
        x = torch.randn(16, 10)
        fire(before_batch)
        loss = nn.functional.mse_loss(model(x), x @ w)
        loss.backward()
        fire(after_batch)
    fire(after_epoch)
    print("epoch", epoch, "loss", round(loss.item(), 4))
