import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Pretrained(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 14), nn.ReLU(), nn.Linear(14, 14), nn.ReLU())
        self.classifier = nn.Linear(14, classes)

    def forward(self, x):
        return self.classifier(self.body(x))


def make_task(count):
    task = []
    for _ in range(count):
        x = torch.randn(10, 6)
        task.append((x, (x[:, 0] + x[:, 5] > 0).long()))
    return task


def train(record):
    torch.manual_seed(68)
    model = Pretrained()
    trainable = filter(lambda p: p.requires_grad, model.parameters())
    for p in model.body[0].parameters():
        p.requires_grad_(False)
    model.classifier = nn.Linear(14, 2)
    trainable = list(trainable)
    optimizer = torch.optim.SGD(trainable, lr=0.5, momentum=0.9)
    task = make_task(5)
    for epoch in range(3):
        norms = []
        for x, y in task:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            norms.append(float(clip_grad_norm_(trainable, 0.1)))
            optimizer.step()
            record(list(model.parameters()))
        print(epoch, round(loss.item(), 4), round(max(norms), 4))


if __name__ == "__main__":
    train(lambda parameters: None)
