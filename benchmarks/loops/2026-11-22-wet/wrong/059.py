import torch
from torch import nn
from torch.cuda.amp import GradScaler, autocast

from data import pairs
from models import MultiTaskNet


def train_one_epoch(model, optimizer, scaler, scheduler, aux_weight=0.4):
    ce, l1 = nn.CrossEntropyLoss(), nn.L1Loss()
    model.train()
    for i, (image, label, depth) in enumerate(pairs):
        image, label, depth = image.cuda(), label.cuda(), depth.cuda()
        optimizer.zero_grad()
        with autocast():
            class_logits, depth_map = model(image)
            main_loss = ce(class_logits, label)
            aux_loss = aux_weight * l1(depth_map, depth)
        scaler.scale(main_loss).backward(retain_graph=True)
        aux_loss.backward()
        scaler.step(optimizer)
        scaler.update()
        if i % 10 == 0:
            print(f"{i}/{len(pairs)} ce {main_loss.item():.3f} l1 {aux_loss.item():.3f}")
    scheduler.step()


net = MultiTaskNet(classes=21).cuda()
sgd = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
poly = torch.optim.lr_scheduler.PolynomialLR(sgd, total_iters=80, power=0.9)
grad_scaler = GradScaler()
for _ in range(80):
    train_one_epoch(net, sgd, grad_scaler, poly)
