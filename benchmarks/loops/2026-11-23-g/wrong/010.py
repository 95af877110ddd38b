import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Blobs(Dataset):
    """Images with one bright blob; the label is its quadrant."""

    def __init__(self, n, side=12, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.images = 0.1 * torch.rand(n, 1, side, side, generator=g)
        self.labels = torch.randint(0, 4, (n,), generator=g)
        half = side // 2
        for img, q in zip(self.images, self.labels.tolist()):
            r, c = divmod(q, 2)
            img[0, r * half : (r + 1) * half, c * half : (c + 1) * half] += 0.8

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.images[i], self.labels[i]


def finetune(backbone, head, loader, epochs, lr, clip):
    for weight in backbone.parameters():
        weight.requires_grad_(False)
    net = nn.Sequential(backbone, head)
    trainable = filter(lambda p: p.requires_grad, net.parameters())
    optimizer = torch.optim.SGD(trainable, lr=lr, momentum=0.9, nesterov=True)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    for epoch in range(epochs):
        net.train()
        hits = 0
        for images, labels in loader:
            optimizer.zero_grad()
            scores = net(images)
            loss = nn.functional.cross_entropy(scores, labels)
            loss.backward()
            nn.utils.clip_grad_norm_(trainable, clip)
            optimizer.step()
            hits += (scores.argmax(dim=1) == labels).sum().item()
        scheduler.step()
        print(f"epoch {epoch}: train acc {hits / len(loader.dataset):.2%}")
    return net


if __name__ == "__main__":
    torch.manual_seed(0)
    pretrained = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten())
    finetune(pretrained, nn.Linear(64, 4), DataLoader(Blobs(64), batch_size=16, shuffle=True), 3, 0.5, 0.01)
