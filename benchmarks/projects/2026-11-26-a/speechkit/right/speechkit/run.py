import torch
from torch.utils.data import DataLoader, TensorDataset

from . import CTCTrainer
from .net import Recogniser


def corpus(n, seed):
    g = torch.Generator().manual_seed(seed)
    labels = torch.randint(1, 6, (n, 4), generator=g)
    frames = torch.randn(n, 20, 10, generator=g) * 0.2
    for position in range(4):
        for offset in range(5):
            frames[torch.arange(n), position * 5 + offset, labels[:, position]] += 1
    return TensorDataset(frames, labels)


def main():
    torch.manual_seed(3)
    model = Recogniser()
    trainer = CTCTrainer(
        model,
        torch.optim.Adam(model.parameters(), lr=1e-2),
        DataLoader(corpus(80, 0), batch_size=8, shuffle=True),
        DataLoader(corpus(16, 1), batch_size=8),
        grad_accum=4,
        epochs=3,
    )
    trainer.fit()


if __name__ == "__main__":
    main()
