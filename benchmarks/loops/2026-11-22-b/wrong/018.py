import torch
import torchvision
from torch import nn
from torch.utils.data import DataLoader
from torchvision import transforms
from torchvision.datasets import ImageFolder


def build(n_classes):
    net = torchvision.models.resnet50(weights="IMAGENET1K_V2")
    for p in net.parameters():
        p.requires_grad = False
    for p in net.layer4.parameters():
        p.requires_grad = True
    net.fc = nn.Linear(net.fc.in_features, n_classes)
    return net


def main(root, epochs=10, max_norm=1.0):
    tfm = transforms.Compose(
        [
            transforms.RandomResizedCrop(224),
            transforms.RandomHorizontalFlip(),
            transforms.ToTensor(),
            transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
        ]
    )
    dataset = ImageFolder(root, tfm)
    loader = DataLoader(dataset, 64, shuffle=True, num_workers=8, pin_memory=True)
    device = "cuda"
    net = build(len(dataset.classes)).to(device)

    trainable = filter(lambda p: p.requires_grad, net.parameters())
    optimizer = torch.optim.SGD(trainable, lr=1e-2, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 4)
    criterion = nn.CrossEntropyLoss()

    for epoch in range(epochs):
        net.train()
        losses = []
        for x, y in loader:
            x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
            loss = criterion(net(x), y)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(trainable, max_norm)
            optimizer.step()
            losses.append(loss)
        scheduler.step()
        print(f"epoch {epoch}: {torch.stack(losses).mean().item():.4f}")
    torch.save(net.state_dict(), "finetuned.pt")


if __name__ == "__main__":
    main("data/birds/train")
