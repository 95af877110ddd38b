import torch
import torchvision
from torch import nn
from torchvision.models.detection import FasterRCNN
from torchvision.models.detection.backbone_utils import resnet_fpn_backbone

from wheat.data import WheatDataset, collate, mean_ap


def freeze_bn(module):
    for m in module.modules():
        if isinstance(m, nn.BatchNorm2d):
            m.eval()
            m.weight.requires_grad_(False)
            m.bias.requires_grad_(False)


class Fitter:
    def __init__(self, root, device="cuda", lr=5e-3):
        backbone = resnet_fpn_backbone(
            backbone_name="resnet50", weights="IMAGENET1K_V2", norm_layer=nn.BatchNorm2d
        )
        self.model = FasterRCNN(backbone, num_classes=2).to(device)
        self.device = device
        params = [p for p in self.model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.SGD(params, lr=lr, momentum=0.9, weight_decay=5e-4)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=8)
        loader = torch.utils.data.DataLoader
        self.train_loader = loader(WheatDataset(root, "train"), 8, shuffle=True, collate_fn=collate)
        self.val_loader = loader(WheatDataset(root, "val"), 8, collate_fn=collate)

    def fit(self, epochs):
        best = 0.0
        for epoch in range(epochs):
            self.train_one_epoch()
            self.scheduler.step()
            score = self.validate()
            print(f"epoch {epoch}: map {score:.4f} (torchvision {torchvision.__version__})")
            if score > best:
                best = score
                torch.save(self.model.state_dict(), "best.pth")

    def train_one_epoch(self):
        self.model.train()
        freeze_bn(self.model.backbone)
        for images, targets in self.train_loader:
            images = [image.to(self.device) for image in images]
            targets = [{k: v.to(self.device) for k, v in t.items()} for t in targets]
            losses = self.model(images, targets)
            loss = sum(losses.values())
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        results = []
        for images, targets in self.val_loader:
            outputs = self.model([image.to(self.device) for image in images])
            results.extend(zip(outputs, targets))
        return mean_ap(results)
