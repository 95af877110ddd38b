# Image classification kernel: gradient accumulation, mixed precision
import time

import torch
import torch.nn as nn
from torch.amp import GradScaler, autocast
from torch.utils.data import DataLoader, TensorDataset

CONFIG = {"seed": 2021, "epochs": 2, "train_bs": 8, "valid_bs": 16, "accum_iter": 4, "lr": 2e-3, "verbose_step": 4}
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
torch.manual_seed(CONFIG["seed"])


def train_one_epoch(epoch, model, loss_fn, optimizer, train_loader, device, scheduler=None):
    model.train()
    t = time.time()
    running_loss = None
    for step, (imgs, image_labels) in enumerate(train_loader):
        imgs, image_labels = imgs.to(device), image_labels.to(device)
        with autocast(device.type, dtype=torch.float16):
            image_preds = model(imgs)
            loss = loss_fn(image_preds.float(), image_labels) / CONFIG["accum_iter"]
        scaler.scale(loss).backward()
        value = loss.item() * CONFIG["accum_iter"]
        running_loss = value if running_loss is None else running_loss * 0.9 + value * 0.1
        if ((step + 1) % CONFIG["accum_iter"] == 0) or ((step + 1) == len(train_loader)):
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
        if ((step + 1) % CONFIG["verbose_step"] == 0) or ((step + 1) == len(train_loader)):
            print(f"epoch {epoch} step {step + 1} loss {running_loss:.4f} ({time.time() - t:.1f}s)")
    if scheduler is not None:
        scheduler.step()


def valid_one_epoch(model, loader):
    model.eval()
    hit = 0
    for imgs, labels in loader:
        hit += (model(imgs.to(device)).argmax(1).cpu() == labels).sum().item()
    print("valid accuracy", hit / len(loader.dataset))


labels = torch.randint(0, 2, (148,))
images = torch.randn(148, 3, 8, 8) + 0.5 * labels[:, None, None, None]
train_ds = TensorDataset(images[:112], labels[:112])
valid_ds = TensorDataset(images[112:], labels[112:])
train_loader = DataLoader(train_ds, CONFIG["train_bs"], shuffle=True)
valid_loader = DataLoader(valid_ds, CONFIG["valid_bs"])
model = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.SiLU(), nn.Flatten(), nn.Linear(128, 2)).to(device)
scaler = GradScaler(device.type, init_scale=1024)
optimizer = torch.optim.Adam(model.parameters(), lr=CONFIG["lr"])
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, gamma=0.5, step_size=1)
for epoch in range(CONFIG["epochs"]):
    train_one_epoch(epoch, model, nn.CrossEntropyLoss(), optimizer, train_loader, device, scheduler)
    with torch.no_grad():
        valid_one_epoch(model, valid_loader)
