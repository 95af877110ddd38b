import torch

from .config import Config
from .data import make_loaders
from .model import AcousticModel
from .trainer import Trainer


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    train_loader, dev_loader = make_loaders(cfg)
    model = AcousticModel(cfg.n_mels, cfg.hidden, cfg.vocab)
    trainer = Trainer(model, cfg, len(train_loader))
    for epoch in range(cfg.epochs):
        train_loss = trainer.train_epoch(train_loader)
        dev_loss = trainer.evaluate(dev_loader)
        print(f"epoch {epoch}: train {train_loss:.3f} dev {dev_loss:.3f}")


if __name__ == "__main__":
    main()
