import torch
import torchvision

from coco import coco_loader


def train_detector(cfg):
    model = torchvision.models.detection.fasterrcnn_resnet50_fpn(num_classes=cfg.num_classes)
    model.to(cfg.device)
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(params, lr=cfg.lr, momentum=0.9, weight_decay=5e-4)
    loader = coco_loader(cfg.root, batch_size=2)

    model.train()
    optimizer.zero_grad()
    pending = 0
    for epoch in range(cfg.epochs):
        for images, targets in loader:
            images = [image.to(cfg.device) for image in images]
            targets = [{k: v.to(cfg.device) for k, v in t.items()} for t in targets]
            loss_dict = model(images, targets)
            losses = sum(loss for loss in loss_dict.values())
            losses.backward()
            pending += 1
            if pending == cfg.batches_per_update:
                optimizer.step()
                optimizer.zero_grad()
                pending = 0
        if pending:
            optimizer.step()
            optimizer.zero_grad()
            pending = 0
        print(epoch, {k: round(v.item(), 3) for k, v in loss_dict.items()})
