import torch
from torch.utils.data import DataLoader
from torchvision.models.detection import maskrcnn_resnet50_fpn

from cells.coco import CellInstances, collate


def freeze_batchnorm(model):
    for m in model.backbone.modules():
        if isinstance(m, torch.nn.BatchNorm2d):
            m.eval()
            m.weight.requires_grad_(False)
            m.bias.requires_grad_(False)


def set_train(model):
    model.train()
    freeze_batchnorm(model)


def main(epochs=24, lr=0.005):
    device = torch.device("cuda")
    loader = DataLoader(CellInstances("livecell"), batch_size=4, shuffle=True, collate_fn=collate, num_workers=4)
    model = maskrcnn_resnet50_fpn(weights="DEFAULT").to(device)
    freeze_batchnorm(model)
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(params, lr=lr, momentum=0.9, weight_decay=5e-4)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[16, 22])
    for epoch in range(epochs):
        set_train(model)
        for images, targets in loader:
            images = [i.to(device) for i in images]
            targets = [{k: v.to(device) for k, v in t.items()} for t in targets]
            loss_dict = model(images, targets)
            loss = sum(loss_dict.values())
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(params, 10.0)
            optimizer.step()
        scheduler.step()
        print(epoch, {k: round(v.item(), 4) for k, v in loss_dict.items()})
        torch.save(model.state_dict(), f"maskrcnn_{epoch:02d}.pth")


if __name__ == "__main__":
    main()
