import torch

from kiln.trainer import KilnTrainer


def firings(seed, count=5):
    generator = torch.Generator().manual_seed(seed)
    out = []
    for _ in range(count):
        curve = torch.randn(12, 6, generator=generator)
        out.append((curve, (curve[:, 0] > 0).long()))
    return out


def main():
    torch.manual_seed(9)
    net = torch.nn.Sequential(
        torch.nn.Linear(6, 16), torch.nn.ReLU(), torch.nn.Dropout(0.3), torch.nn.Linear(16, 2)
    )
    trainer = KilnTrainer(net, lr=0.05, limit=1.0)
    trainer.fit(firings(1), firings(99, 2), epochs=3)


if __name__ == "__main__":
    main()
