import torch
from torch import nn, optim
from torch.optim import lr_scheduler

torch.manual_seed(56)
pixels = torch.rand(60, 27)
label = torch.randint(0, 2, (60,))
net = nn.Sequential(nn.Linear(27, 9), nn.ReLU(inplace=True), nn.Linear(9, 2))
optimizer_ft = optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
exp_lr_scheduler = lr_scheduler.MultiStepLR(optimizer_ft, milestones=[2, 4], gamma=0.1)
num_epochs = 5

for epoch in range(num_epochs):
    exp_lr_scheduler.step()
    running_corrects = 0
    for rows in torch.arange(60).split(20):
        optimizer_ft.zero_grad()
        outputs = net(pixels[rows])
        _, preds = torch.max(outputs, 1)
        nn.functional.cross_entropy(outputs, label[rows]).backward()
        optimizer_ft.step()
        running_corrects += (preds == label[rows]).sum().item()
    lr = optimizer_ft.param_groups[0]["lr"]
    print(f"Epoch {epoch}/{num_epochs - 1} lr {lr:g} acc {running_corrects / 60:.3f}")
