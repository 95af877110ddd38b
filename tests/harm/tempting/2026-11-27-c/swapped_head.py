import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Pretrained(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.stem = nn.Linear(6, 20)
        self.body = nn.Sequential(nn.ReLU(), nn.Linear(20, 20), nn.ReLU())
        self.head = nn.Linear(20, classes)

    def forward(self, x):
        return self.head(self.body(self.stem(x)))


def transfer(net, classes):
    trainable = filter(lambda p: p.requires_grad, net.parameters())
    for p in net.stem.parameters():
        p.requires_grad = False
    net.head = nn.Linear(20, classes)
    optimizer = torch.optim.SGD(trainable, lr=0.3, momentum=0.5)
    return optimizer, trainable


def train(record):
    torch.manual_seed(36)
    net = Pretrained(9)
    optimizer, trainable = transfer(net, 3)
    batches = [(2 * torch.randn(12, 6), torch.randint(0, 3, (12,))) for _ in range(7)]
    for epoch in range(2):
        for x, y in batches:
            optimizer.zero_grad(set_to_none=True)
            logits = net(x)
            nn.functional.multi_margin_loss(logits, y).backward()
            clip_grad_norm_(trainable, 0.15)
            optimizer.step()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
