import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class GradCacheEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3, stride=2)
        self.lin = nn.Linear(8, 3)

    def forward(self, x):
        return self.lin(F.silu(self.conv(x)).mean((2, 3)))


def batches(n, size=50):
    for _ in range(n):
        cls = torch.randint(0, 3, (size,))
        img = torch.randn(size, 1, 9, 9) + cls.view(-1, 1, 1, 1)
        yield img, cls


def forward_backward(net, img, cls, memory_limit):
    mean = 0.0
    for sub_img, sub_cls in zip(img.split(memory_limit), cls.split(memory_limit)):
        weight = len(sub_img) / len(img)
        loss = F.cross_entropy(net(sub_img), sub_cls) * weight
        loss.backward()
        mean += loss.item()
    return mean


def main(memory_limit=16, steps=12):
    net = GradCacheEncoder()
    lion = torch.optim.RAdam(net.parameters(), lr=5e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(lion, 1e-2, total_steps=steps)
    net.train()
    for it, (img, cls) in enumerate(batches(steps)):
        lion.zero_grad()
        mean = forward_backward(net, img, cls, memory_limit)
        lion.step()
        sched.step()
        if it % 4 == 0:
            print(f"step {it} loss {mean:.4f}")


main()
