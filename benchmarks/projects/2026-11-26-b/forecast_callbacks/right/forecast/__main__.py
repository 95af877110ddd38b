import torch

from .callbacks import Evaluation, GradientClipping, Printer
from .config import Settings
from .data import series, windows
from .model import Forecaster
from .trainer import Trainer


def main():
    settings = Settings()
    torch.manual_seed(settings.seed)
    values = series(600)
    model = Forecaster(settings.history, settings.horizon, settings.hidden)
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.lr)
    callbacks = [
        GradientClipping(settings.max_norm),
        Evaluation(values[450:], settings, every=settings.eval_every),
        Printer(),
    ]
    trainer = Trainer(model, optimizer, settings, callbacks)
    trainer.fit(lambda: windows(values[:450], settings, settings.batches_per_epoch))


if __name__ == "__main__":
    main()
