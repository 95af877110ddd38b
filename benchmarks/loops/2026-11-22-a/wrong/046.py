import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader
from torchvision.models import resnet18, resnet50

from kd.data import imagenet_subset


def kd_loss(s, t, y, T=4.0, alpha=0.9):
    soft = F.kl_div(F.log_softmax(s / T, 1), F.softmax(t / T, 1), reduction="batchmean") * T * T
    return alpha * soft + (1 - alpha) * F.cross_entropy(s, y)


def main(root, epochs=90, accumulate=4, updates=112_000):
    teacher = resnet50(weights="IMAGENET1K_V2").cuda().eval().requires_grad_(False)
    student = resnet18().cuda()
    projector = torch.nn.Linear(1000, 1000).cuda()
    loader = DataLoader(imagenet_subset(root), batch_size=64, shuffle=True, num_workers=8)
    opt_s = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    opt_p = torch.optim.SGD(projector.parameters(), lr=0.05, momentum=0.9)
    sched_s = CosineAnnealingLR(opt_s, T_max=updates)
    sched_p = CosineAnnealingLR(opt_p, T_max=updates)

    for epoch in range(epochs):
        student.train()
        for i, (x, y) in enumerate(loader):
            x, y = x.cuda(), y.cuda()
            with torch.no_grad():
                t = teacher(x)
            loss = kd_loss(projector(student(x)), t, y) / accumulate
            loss.backward()
            if (i + 1) % accumulate == 0:
                opt_s.step()
                opt_p.step()
                opt_s.zero_grad()
                opt_p.zero_grad()
                sched_p.step()
            sched_s.step()
        torch.save(student.state_dict(), "student.pth")
        print(epoch, loss.item() * accumulate)
