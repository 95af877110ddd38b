import torch

from recipes import ReverseTrainer
from toy import reversal
from translator import Translator


def main():
    torch.manual_seed(23)
    trainer = ReverseTrainer(Translator(symbols=9), lr=4e-3, max_norm=0.2)
    for epoch in range(3):
        print(f"epoch {epoch}: {trainer.train_epoch(reversal(8, seed=epoch)):.4f}")


if __name__ == "__main__":
    main()
