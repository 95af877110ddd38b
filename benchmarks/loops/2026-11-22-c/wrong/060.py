import torch
import torch.nn.functional as F
from lightning.fabric import Fabric

from plankton import datasets, PlanktonNet


@torch.inference_mode()
def accuracy(model, loader):
    model.eval()
    right = rows = 0
    for image, label in loader:
        right += (model(image).argmax(1) == label).sum().item()
        rows += label.numel()
    model.train()
    return right / rows


def main(epochs: int = 40):
    fabric = Fabric(accelerator="auto", devices=1, precision="bf16-mixed")
    model = PlanktonNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    model, optimizer = fabric.setup(model, optimizer)
    train, val = fabric.setup_dataloaders(*datasets(batch_size=64))
    model.train()
    for epoch in range(epochs):
        for image, label in train:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(image), label)
            fabric.backward(loss)
            fabric.clip_gradients(model, optimizer, max_norm=1.0)
            optimizer.step()
        scheduler.step
        fabric.print(f"epoch {epoch}: loss {loss.item():.3f} accuracy {accuracy(model, val):.3f}")


if __name__ == "__main__":
    main()
