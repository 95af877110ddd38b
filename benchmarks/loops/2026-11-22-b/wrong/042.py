import torch
from torch import nn
from torchvision.models.segmentation import deeplabv3_resnet50

from seg.data import make_loaders
from seg.metrics import mean_iou


def cycle(loader):
    while True:
        for batch in loader:
            yield batch


@torch.no_grad()
def validate(model, loader, device):
    model.eval()
    scores = []
    for image, mask in loader:
        pred = model(image.to(device))["out"].argmax(1)
        scores.append(mean_iou(pred.cpu(), mask))
    model.train()
    return sum(scores) / len(scores)


def train(cfg):
    device = torch.device(cfg.device)
    train_loader, val_loader = make_loaders(cfg)
    model = deeplabv3_resnet50(num_classes=cfg.num_classes).to(device)
    criterion = nn.CrossEntropyLoss(ignore_index=255)
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9, weight_decay=5e-4)
    scheduler = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=cfg.updates, power=0.9)

    batch_multiplier = cfg.batch_multiplier
    count = batch_multiplier
    updates = 0
    window_loss = 0.0
    best = 0.0
    model.train()
    for image, mask in cycle(train_loader):
        out = model(image.to(device))
        mask = mask.to(device)
        loss = criterion(out["out"], mask)
        loss.backward()
        window_loss += loss.item() / batch_multiplier
        count -= 1
        if count > 0:
            continue

        optimizer.step()
        optimizer.zero_grad()
        scheduler.step()
        count = batch_multiplier
        updates += 1
        print(f"update {updates} loss {window_loss:.4f}")
        window_loss = 0.0
        if updates % cfg.val_every == 0:
            score = validate(model, val_loader, device)
            if score > best:
                best = score
                torch.save(model.state_dict(), cfg.out)
        if updates == cfg.updates:
            break
    return best
