import torch
from torch import nn
from torch.nn import functional as F


class TwoTasks(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Linear(6, 16)
        self.value = nn.Linear(16, 1)
        self.kind = nn.Linear(16, 3)

    def forward(self, x):
        h = torch.tanh(self.shared(x))
        return self.value(h), self.kind(h)


def losses(model, batch):
    x, value, kind = batch
    with torch.autocast("cpu", dtype=torch.float16):
        v, k = model(x)
    return F.mse_loss(v.float(), value), F.cross_entropy(k.float(), kind)


def train(record):
    torch.manual_seed(37)
    x = torch.randn(80, 6)
    data = list(zip(x.split(10), x.sum(1, keepdim=True).split(10), x[:, :3].argmax(1).split(10)))
    model = TwoTasks()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=128.0)
    report = []
    for epoch in range(3):
        for batch in data:
            optimizer.zero_grad()
            value_loss, kind_loss = losses(model, batch)
            scaler.scale(value_loss).backward(retain_graph=True)
            kind_loss.backward()
            scaler.step(optimizer)
            record(list(model.parameters()))
            scaler.update()
            report.append((value_loss.item(), kind_loss.item()))
    return report


if __name__ == "__main__":
    train(lambda parameters: None)
