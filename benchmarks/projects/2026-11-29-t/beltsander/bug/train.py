import torch

from bench.vibration import VibrationTrainer


def recordings(n):
    g = torch.Generator().manual_seed(4)
    return [torch.randn(8, 16, generator=g).cumsum(1) / 4 for _ in range(n)]


if __name__ == "__main__":
    torch.manual_seed(0)
    trainer = VibrationTrainer(recordings(10), window=4, epochs=4)
    trainer.fit()
    print(trainer.history)
