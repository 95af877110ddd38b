"""The stages of a pretrained stack thaw one after another, from the top down."""
import torch
from torch import nn
from torch.nn import functional as F


class Stack(nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        self.stages = nn.ModuleList(nn.Linear(9, 9) for _ in range(depth))
        self.out = nn.Linear(9, 3)
        for p in self.stages.parameters():
            p.requires_grad_(False)

    def forward(self, x):
        for stage in self.stages:
            x = x + F.gelu(stage(x))
        return self.out(x)


def thaw(stack, number, optimizer):
    stage = stack.stages[number]
    for p in stage.parameters():
        p.requires_grad_(True)
    optimizer.add_param_group({"params": list(stage.parameters()), "lr": 0.05})


def train(record):
    torch.manual_seed(77)
    stack = Stack()
    trainable = filter(lambda p: p.requires_grad, stack.parameters())
    optimizer = torch.optim.SGD(trainable, lr=0.2)
    centres = torch.randn(3, 9) * 2
    for turn in range(30):
        if turn in (8, 16, 24):
            thaw(stack, 2 - (turn - 8) // 8, optimizer)
        y = torch.randint(3, (14,))
        x = centres[y] + torch.randn(14, 9)
        optimizer.zero_grad()
        F.cross_entropy(stack(x), y).backward()
        nn.utils.clip_grad_norm_([p for group in optimizer.param_groups for p in group["params"]], 0.1)
        optimizer.step()
        record(list(stack.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
