import torch
from torch import nn
from torchvision.models import ResNet50_Weights, resnet50

from data import train_loader

ACCUM = 4


class Transfer(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.backbone = resnet50(weights=ResNet50_Weights.DEFAULT)
        self.backbone.fc = nn.Identity()
        self.head = nn.Sequential(nn.Dropout(0.3), nn.Linear(2048, classes))

    def forward(self, x):
        return self.head(self.backbone(x))


model = Transfer(classes=120).cuda()
optimizer = torch.optim.SGD(
    [{"params": model.backbone.parameters(), "lr": 1e-4}, {"params": model.head.parameters()}],
    lr=1e-2,
    momentum=0.9,
)
criterion = nn.CrossEntropyLoss()
windows = len(train_loader) // ACCUM

for epoch in range(20):
    model.train()
    model.backbone.eval()
    it = iter(train_loader)
    for w in range(windows):
        optimizer.zero_grad()
        for _ in range(ACCUM):
            image, breed = next(it)
            loss = criterion(model(image.cuda()), breed.cuda())
            loss.div(ACCUM).backward()
        optimizer.step()
        if w % 25 == 0:
            print(epoch, w, loss.item())
