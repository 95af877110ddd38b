import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(15, 30), nn.ReLU())
        self.adapter = nn.Linear(30, 30)
        self.head = nn.Linear(30, 4)

    def forward(self, x):
        h = self.stem(x)
        return self.head(h + torch.relu(self.adapter(h)))


def freeze(module):
    for p in module.parameters():
        p.requires_grad_(False)


torch.manual_seed(38)
model = Backbone()
freeze(model.stem)
trainable = (p for p in model.parameters() if p.requires_grad)
optimizer = torch.optim.AdamW(trainable, lr=2e-3)
features = torch.randn(200, 15)
targets = features[:, :4].argmax(1)

for epoch in range(4):
    order = torch.randperm(len(features))
    for idx in order.split(40):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(features[idx]), targets[idx])
        loss.backward()
        nn.utils.clip_grad_norm_(trainable, 0.3)
        optimizer.step()
    print("epoch", epoch, "loss", round(loss.item(), 4))
