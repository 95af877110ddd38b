import torch
import torch.nn as nn
from accelerate import Accelerator
from torch.optim.lr_scheduler import MultiStepLR
from torch.utils.data import DataLoader, TensorDataset


def resnetish(c=8):
    class Res(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.Sequential(nn.Conv2d(c, c, 3, 1, 1), nn.BatchNorm2d(c), nn.ReLU(), nn.Conv2d(c, c, 3, 1, 1))

        def forward(self, x):
            return torch.relu(x + self.a(x))

    return nn.Sequential(nn.Conv2d(3, c, 3, 1, 1), Res(), Res(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(c, 6))


def evaluate(accelerator, model, loader):
    model.eval()
    seen, hit = 0, 0
    for img, lab in loader:
        with torch.no_grad():
            guess = model(img).argmax(1)
        guess, lab = accelerator.gather_for_metrics((guess, lab))
        hit += (guess == lab).sum().item()
        seen += lab.numel()
    return hit / seen


def main():
    accelerator = Accelerator(cpu=True)
    torch.manual_seed(0)
    lab = torch.randint(0, 6, (128,))
    img = torch.randn(128, 3, 8, 8) * 0.5
    img[torch.arange(128), lab % 3] += (lab[:, None, None] // 3).float() * 2 - 1
    train = DataLoader(TensorDataset(img[:96], lab[:96]), batch_size=16, shuffle=True)
    test = DataLoader(TensorDataset(img[96:], lab[96:]), batch_size=16)
    model = resnetish()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    scheduler = MultiStepLR(optimizer, milestones=[2, 4], gamma=0.1)
    model, optimizer, train, test = accelerator.prepare(model, optimizer, train, test)

    for epoch in range(5):
        scheduler.step()
        model.train()
        for img, lab in train:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(img), lab)
            accelerator.backward(loss)
            optimizer.step()
        acc = evaluate(accelerator, model, test)
        accelerator.print(f"epoch {epoch} lr {scheduler.get_last_lr()[0]:.4f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
