import torch

from station.model import PumpModel, readings
from station.trainer import PumpTrainer


def main():
    torch.manual_seed(30)
    trainer = PumpTrainer(PumpModel(), lr=0.02, limit=0.8, moves=27)
    for epoch in range(3):
        loss = trainer.train_epoch(readings(9))
        print(f"{epoch}: {loss:.4f}, mean norm {trainer.mean_norm():.4f}")


if __name__ == "__main__":
    main()
