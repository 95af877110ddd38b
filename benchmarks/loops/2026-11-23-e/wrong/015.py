import torch
import torch.nn as nn

torch.manual_seed(0)


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU())

    def forward(self, x):
        return self.layers(x)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Backbone()
        self.cls = nn.Linear(16, 3)
        self.box = nn.Linear(16, 4)

    def forward(self, x):
        h = self.backbone(x)
        return self.cls(h), self.box(h)


def detection_loss(out, labels, boxes):
    cls, box = out
    return nn.functional.cross_entropy(cls, labels) + nn.functional.smooth_l1_loss(box, boxes)


model = Detector()
for p in model.backbone.layers[0].parameters():
    p.requires_grad_(False)

trainable = filter(lambda p: p.requires_grad, model.parameters())
optimizer = torch.optim.SGD(trainable, lr=0.02, momentum=0.9, weight_decay=1e-4)

for it in range(30):
    x = torch.randn(10, 8)
    labels = torch.randint(0, 3, (10,))
    boxes = torch.rand(10, 4)

    loss = detection_loss(model(x), labels, boxes)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(trainable, max_norm=0.5)
    optimizer.step()

    if it % 10 == 0:
        print(f"iter {it:3d} loss {loss.item():.3f}")
