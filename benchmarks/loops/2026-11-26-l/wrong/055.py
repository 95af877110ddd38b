import torch
from torch.optim.lr_scheduler import MultiStepLR
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
EPOCHS = 6
ds = TensorDataset(torch.randn(96, 1, 10, 10), torch.randint(0, 4, (96,)))
dl = DataLoader(ds, batch_size=32, shuffle=True)
net = torch.nn.Sequential(
    torch.nn.Conv2d(1, 4, 3, stride=2), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.LazyLinear(4)
)
net(ds[0][0][None])
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
lr_sched = MultiStepLR(opt, milestones=[2, 4], gamma=0.1)
loss_fn = torch.nn.CrossEntropyLoss()

for epoch in range(1, EPOCHS + 1):
    lr_sched.step()
    net.train()
    correct = 0
    for img, lab in dl:
        opt.zero_grad()
        out = net(img)
        loss = loss_fn(out, lab)
        loss.backward()
        opt.step()
        correct += (out.argmax(1) == lab).sum().item()
    print(epoch, opt.param_groups[0]["lr"], correct / len(ds))
