import torch

from dyeworks.loop import run
from dyeworks.settings import Settings
from dyeworks.vat import VatModel, swatches


def main():
    settings = Settings(epochs=3, window=4)
    torch.manual_seed(settings.seed)
    model = VatModel()
    rates = run(model, swatches(settings.batches), settings)
    print("last rate", round(rates[-1], 6), "after", len(rates), "epochs")


if __name__ == "__main__":
    main()
