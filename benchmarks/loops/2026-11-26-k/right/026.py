import torch
from torch import nn

ACCUM = 5


def main():
    torch.manual_seed(126)
    net = nn.Sequential(nn.Conv2d(2, 6, 3), nn.ReLU(), nn.AdaptiveMaxPool2d(2), nn.Flatten(), nn.Linear(24, 4))
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
    share = torch.tensor(1.0 / ACCUM)
    batches = [(torch.randn(5, 2, 9, 9), torch.randint(0, 4, (5,))) for _ in range(17)]
    for epoch in range(3):
        running = 0.0
        for n, (img, cls) in enumerate(batches, 1):
            loss = nn.functional.cross_entropy(net(img), cls)
            loss.backward(gradient=share)
            running += loss.item()
            if n % ACCUM == 0 or n == len(batches):
                opt.step()
                opt.zero_grad()
        print(epoch, running / len(batches))


if __name__ == "__main__":
    main()
