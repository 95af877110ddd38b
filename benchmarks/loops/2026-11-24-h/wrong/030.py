# kaggle: leaf images, fp16, gradual accumulation
import torch
import torch.nn as nn
from torch.amp import autocast, GradScaler
from torch.utils.data import DataLoader, TensorDataset

CFG = {"epochs": 3, "train_bs": 8, "valid_bs": 16, "accum_iter": 2, "lr": 1e-3, "max_norm": 10, "dev": "cuda" if torch.cuda.is_available() else "cpu"}


class LeafNet(nn.Module):
    def __init__(self, n_class=5):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.SiLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.drop, self.head = nn.Dropout(0.2), nn.Linear(8, n_class)

    def forward(self, x):
        return self.head(self.drop(self.backbone(x)))


def train_one_epoch(epoch, model, loss_fn, optimizer, train_loader, scaler):
    running_loss = None
    for step, (imgs, image_labels) in enumerate(train_loader):
        imgs, image_labels = imgs.to(CFG["dev"]).float(), image_labels.to(CFG["dev"]).long()
        with autocast(CFG["dev"], dtype=torch.float16):
            image_preds = model(imgs)
            loss = loss_fn(image_preds, image_labels) / CFG["accum_iter"]
        scaler.scale(loss).backward()
        if running_loss is None:
            running_loss = loss.item()
        else:
            running_loss = running_loss * 0.99 + loss.item() * 0.01
        if ((step + 1) % CFG["accum_iter"] == 0) or ((step + 1) == len(train_loader)):
            nn.utils.clip_grad_norm_(model.parameters(), CFG["max_norm"])
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
    print(f"epoch {epoch} loss: {running_loss:.4f}")


def valid_one_epoch(epoch, model, val_loader):
    model.eval()
    preds_all, targets_all = [], []
    with torch.no_grad():
        for imgs, labels in val_loader:
            preds_all.append(model(imgs.to(CFG["dev"])).argmax(1).cpu())
            targets_all.append(labels)
    acc = (torch.cat(preds_all) == torch.cat(targets_all)).float().mean()
    print(f"epoch {epoch} validation multi-class accuracy = {acc:.4f}")


if __name__ == "__main__":
    torch.manual_seed(719)
    mk = lambda n: TensorDataset(torch.randn(n, 3, 16, 16), torch.randint(0, 5, (n,)))
    trn, val = DataLoader(mk(64), CFG["train_bs"], shuffle=True), DataLoader(mk(32), CFG["valid_bs"])
    model = LeafNet().to(CFG["dev"])
    scaler = GradScaler(CFG["dev"], init_scale=2.0**10)
    optimizer = torch.optim.Adam(model.parameters(), lr=CFG["lr"], weight_decay=1e-6)
    for epoch in range(CFG["epochs"]):
        train_one_epoch(epoch, model, nn.CrossEntropyLoss(), optimizer, trn, scaler)
        valid_one_epoch(epoch, model, val)
